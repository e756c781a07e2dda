/* Bounds that add indices up. L2: n - i + m. L3: from i to 2 i + m. L5: i + j <= k < n. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 8;
    int m = argc > 2 ? atoi(argv[2]) : 3;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        for (int j = i; j < n + m; j++) { /* L2 */
            s += j;
        }
        for (int j = i; j <= 2 * i + m; j++) { /* L3 */
            s += j;
        }
        for (int j = 0; j < n; j++) { /* L4 */
            for (int k = i + j; k < n; k++) { /* L5 */
                s += k;
            }
        }
    }
    printf("%ld\n", s);
    return 0;
}
