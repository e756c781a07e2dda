/* Unsigned indices. L1: n. L2: n (n - 1) / 2. L3: n, down to zero. L4: 1 + floor(log2(n)) by a shift. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    unsigned top = n > 0 ? (unsigned) n : 0;
    for (unsigned i = 0; i < top; i++) { /* L1 */
        for (unsigned j = i + 1; j < top; j++) { /* L2 */
            s += j;
        }
    }
    for (unsigned i = top; i-- > 0;) { /* L3 */
        s += i;
    }
    for (unsigned i = top; i > 0; i >>= 1) { /* L4 */
        s += i;
    }
    printf("%ld\n", s);
    return 0;
}
