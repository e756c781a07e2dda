/* Steps that divide. L1: 1 + floor(log2(n)). L2: the same by a shift. L3: 1 + floor(log3(n)). L4: to 1. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    for (int i = n; i > 0; i /= 2) { /* L1 */
        s += i;
    }
    for (int i = n; i > 0; i >>= 1) { /* L2 */
        s += i;
    }
    for (int i = n; i > 0; i /= 3) { /* L3 */
        s += i;
    }
    for (int i = n; i > 1; i /= 2) { /* L4 */
        s += i;
    }
    printf("%ld\n", s);
    return 0;
}
