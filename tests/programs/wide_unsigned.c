// vary: n=0:70; exact: 3 of 3
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    uint64_t n = strtoul(argv[1], NULL, 10);
    uint64_t k = n % 9223372036854775808ULL;
    volatile long s = 0;
    while (k > 0) {
        s++;
        k >>= 1;
    }
    for (uint32_t i = 0; i < n && i < 4000000000u; i += 2) {
        s++;
    }
    for (uint8_t b = 0; b < 200; b++) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
