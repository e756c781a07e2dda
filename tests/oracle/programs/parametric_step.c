/* The step is the outer index. L2: sum of floor((m - 1) / j), j = 1 ... n. L4: over powers of two. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 8;
    int m = argc > 2 ? atoi(argv[2]) : 30;
    long s = 0;
    for (int j = 1; j <= n; j++) { /* L1 */
        for (int k = j; k < m; k += j) { /* L2 */
            s += k;
        }
    }
    for (int j = 1; j < n; j *= 2) { /* L3 */
        for (int k = 0; k < m; k += j) { /* L4 */
            s += k;
        }
    }
    printf("%ld\n", s);
    return 0;
}
