/* Quotients as C rounds them. L1: n / 3. L2: (n + p - 1) / p if p > 0. L4: sum of i / 2. L5: n % 4. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    int p = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    for (int i = 0; i < n / 3; i++) { /* L1 */
        s += i;
    }
    if (p > 0) {
        for (int i = 0; i < (n + p - 1) / p; i++) { /* L2 */
            s += i;
        }
    }
    for (int i = 0; i < n; i++) { /* L3 */
        for (int j = 0; j < i / 2; j++) { /* L4 */
            s += j;
        }
    }
    for (int i = 0; i < n % 4; i++) { /* L5 */
        s += i;
    }
    printf("%ld\n", s);
    return 0;
}
