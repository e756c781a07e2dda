/* A function called in a loop with the index. L2: n. L1: 0 + 2 + ... + 2 (n - 1) = n (n - 1). */
#include <stdio.h>
#include <stdlib.h>

static long work(int count)
{
    long s = 0;
    for (int i = 0; i < count; i++) { /* L1 */
        s += i;
    }
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    long s = 0;
    for (int i = 0; i < n; i++) { /* L2 */
        s += work(2 * i);
    }
    printf("%ld\n", s);
    return 0;
}
