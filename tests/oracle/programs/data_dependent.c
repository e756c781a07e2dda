/* Nobody knows before the run. L1: n. L2: Collatz steps of i. L3: until a pseudo-random number says so. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    unsigned seed = 1;
    for (int i = 1; i <= n; i++) { /* L1 */
        long x = i;
        while (x != 1) { /* L2 */
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        }
        for (int k = 0; k < 50; k++) { /* L3 */
            seed = seed * 1103515245u + 12345u;
            if ((seed >> 16) % 10 == 0)
                break;
            s += k;
        }
    }
    printf("%ld\n", s);
    return 0;
}
