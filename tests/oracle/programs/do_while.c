/* The body comes before the test. L1: max(1, n). L2: binary digits of n, 1 for n <= 1. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    long s = 0;
    int i = 0;
    do { /* L1 */
        s += i;
        i++;
    } while (i < n);
    int rest = n;
    do { /* L2 */
        s += rest;
        rest /= 2;
    } while (rest > 0);
    printf("%ld\n", s);
    return 0;
}
