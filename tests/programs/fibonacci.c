// vary: n=0:60; exact: 0 of 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    long a = 0, b = 1;
    while (a < n) {
        long c = a + b;
        a = b;
        b = c;
    }
    s = a;
    printf("%ld\n", (long)s);
    return 0;
}
