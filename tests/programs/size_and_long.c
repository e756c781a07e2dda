// vary: n=0:40 m=0:9; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    size_t n = strtoul(argv[1], NULL, 10);
    long m = atol(argv[2]);
    volatile long s = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j += 2) {
            s++;
        }
    }
    for (long i = m; i < (long)n; ++i) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
