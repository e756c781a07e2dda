/* Remainders. L2: m ceil(n / 2), at even i. L3: i for i mod 3 = 1. L4: n if m is odd and positive. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    int m = argc > 2 ? atoi(argv[2]) : 3;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L1 */
        if (i % 2 == 0) {
            for (int j = 0; j < m; j++) { /* L2 */
                s += j;
            }
        }
        if (i % 3 == 1) {
            for (int j = 0; j < i; j++) { /* L3 */
                s += j;
            }
        }
    }
    if (m % 2 == 1) {
        for (int i = 0; i < n; i++) { /* L4 */
            s += i;
        }
    }
    printf("%ld\n", s);
    return 0;
}
