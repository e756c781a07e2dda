/* args: 5 18446744073709551610 | 60 18446744073709551366 | 60 3 | 2 0 | 60 9223372036854775807
   counters of 64 bits that start near the largest number wrap around after a few iterations */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long s = 0;
    int n = atoi(argv[1]);
    uint64_t m = strtoull(argv[2], 0, 10);
    for (size_t i = 7 - 256, k = 0; k < 50 && i > 3ul; i += 7, k++) {
        s++;
    }
    for (size_t i = 7 - 256, k = 0; k < n && i > 3ul; i += 7, k++) {
        s++;
    }
    for (uint64_t i = -7, k = 0; k < 50 && i > 0; i++, k++) {
        s++;
    }
    for (uint64_t i = -14, k = 0; k < 50 && i > 0; i += 2, k++) {
        s++;
    }
    for (uint64_t i = -14, k = 0; k < 50 && i >= 1; i += 2, k++) {
        s++;
    }
    for (uint64_t i = m, k = 0; k < 50 && i > 0; i++, k++) {
        s++;
    }
    for (uint64_t i = m, k = 0; k < 50 && i > 2; i += 7, k++) {
        s++;
    }
    for (uint64_t i = m - 20, k = 0; k < 50 && i < m; i += 3, k++) {
        s++;
    }
    printf("%ld\n", s);
}
