/* One loop called from two places. L1: max(0, n) + 3 max(0, m - 1). L2: 3. */
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

static long thrice(int count)
{
    long s = 0;
    for (int i = 0; i < 3; i++) { /* L2 */
        s += work(count);
    }
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    int m = argc > 2 ? atoi(argv[2]) : 4;
    long s = 0;
    s += work(n);
    s += thrice(m - 1);
    printf("%ld\n", s);
    return 0;
}
