/* continue: the iteration counts, the rest is left out. L1: n. L2: m for each i >= 3. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    int m = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        if (i < 3)
            continue;
        for (int j = 0; j < m; j++) { /* L2 */
            s += j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
