/* args: 5 3 | 2147483647 18446744073709551615 | 60 4294967295 | 256 65536 | 0 0 | 7 1
   values that wrap around before they are tested first */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long s = 0;
    int n = strtol(argv[1], 0, 10);
    size_t m = strtoull(argv[2], 0, 10);
    unsigned u = strtoul(argv[2], 0, 10);
    unsigned v = ~0u;
    int k = 0;
    do {
        s++;
        v += 3;
        if (++k > 9) break;
    } while (v < 0x80000000u);
    uint64_t w = m;
    k = 0;
    do {
        s++;
        w++;
        k++;
    } while (k < 5 && w < n);
    unsigned a = u;
    k = 0;
    do {
        s++;
        a += 7;
        k++;
    } while (k < 5 && a < 1000);
    unsigned b = -1;
    k = 0;
    do {
        if (k > 3 + n) break;
        b++;
        k++;
    } while (k < 5 && b < 1000);
    for (size_t i = 0, j = 0; j < 50 && !(i - m >= -100ull); i--, j++) {
        s++;
    }
    for (size_t i = n, j = 0; j < 50 && i - m < 1000; i--, j++) {
        s++;
    }
    unsigned c = u;
    k = 0;
    do {
        s++;
        c--;
    } while (c < 1000 && ++k < 40);
    printf("%ld\n", s);
}
