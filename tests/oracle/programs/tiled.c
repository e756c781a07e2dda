/* Tiles of t. L1: ceil(n / t), L2: its square, L3: n ceil(n / t), L4: n^2, for t >= 1. */
#include <stdio.h>
#include <stdlib.h>

static int min(int a, int b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    int t = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    if (t < 1)
        return 0;
    for (int ii = 0; ii < n; ii += t) { /* L1 */
        for (int jj = 0; jj < n; jj += t) { /* L2 */
            for (int i = ii; i < min(ii + t, n); i++) { /* L3 */
                for (int j = jj; j < min(jj + t, n); j++) { /* L4 */
                    s += i ^ j;
                }
            }
        }
    }
    printf("%ld\n", s);
    return 0;
}
