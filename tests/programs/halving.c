// vary: n=-3:300; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = n; i > 0; i /= 2) {
        s++;
    }
    int k = n;
    while (k > 1) {
        k >>= 1;
    }
    for (int i = n; i >= 5; i /= 3) {
        s++;
    }
    unsigned u = (unsigned)(n < 0 ? 0 : n);
    while (u) {
        u >>= 1;
    }
    printf("%ld\n", (long)s);
    return 0;
}
