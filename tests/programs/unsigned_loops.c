// vary: n=0:40; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    unsigned n = (unsigned)atoi(argv[1]);
    volatile long s = 0;
    for (unsigned i = 0; i < n; i++) {
        s++;
    }
    for (unsigned i = n; i > 0; i--) {
        s++;
    }
    for (unsigned i = n; i-- > 0;) {
        s++;
    }
    for (unsigned i = 1; i < n; i <<= 1) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
