// vary: n=1:200; exact: 0 of 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    long x = n;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
    }
    s = x;
    printf("%ld\n", (long)s);
    return 0;
}
