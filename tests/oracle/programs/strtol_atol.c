/* Parameters read by strtol and atol. L1: n. L2: n m. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 6;
    long m = argc > 2 ? atol(argv[2]) : 4;
    long s = 0;
    for (long i = 0; i < n; i++) { /* L1 */
        for (long j = 0; j < m; j++) { /* L2 */
            s += i * j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
