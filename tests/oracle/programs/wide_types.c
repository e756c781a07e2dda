/* Other widths. L1: long, 2 n. L2: size_t, n. L3: short, min(n, 100). L4: int against long, ceil(2 n / 3). */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    long wide = 2L * n;
    size_t size = n > 0 ? (size_t) n : 0;
    short small = (short) (n > 100 ? 100 : n);
    for (long i = 0; i < wide; i++) { /* L1 */
        s += i;
    }
    for (size_t i = 0; i < size; i++) { /* L2 */
        s += (long) i;
    }
    for (short i = 0; i < small; i++) { /* L3 */
        s += i;
    }
    for (int i = 0; i < wide; i += 3) { /* L4 */
        s += i;
    }
    printf("%ld\n", s);
    return 0;
}
