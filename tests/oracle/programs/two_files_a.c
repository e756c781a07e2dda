/* A program of two files. L1: n. L2, in the other file: n (n + 1) / 2. */
#include <stdio.h>
#include <stdlib.h>

long row(int length);

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    long s = 0;
    for (int i = 1; i <= n; i++) { /* L1 */
        s += row(i);
    }
    printf("%ld\n", s);
    return 0;
}
