/* Steps that multiply. L1: ceil(log2(n)). L2: ceil(log3(n)). L3: 1 + floor(log2(n)). L4: x := 2 x + 1. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    for (int i = 1; i < n; i *= 2) { /* L1 */
        s += i;
    }
    for (int i = 1; i < n; i *= 3) { /* L2 */
        s += i;
    }
    for (int i = 1; i <= n; i *= 2) { /* L3 */
        s += i;
    }
    for (int i = 1; i < n; i = 2 * i + 1) { /* L4 */
        s += i;
    }
    printf("%ld\n", s);
    return 0;
}
