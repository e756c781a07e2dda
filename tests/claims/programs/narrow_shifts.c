/* args: 1 | 5 | 100 | 129 | 255 | 256 | 40000 : narrow values that are shifted, divided and compared */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct fields { unsigned a : 11; signed b : 6; unsigned c : 15; };
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long s = 0;
    uint8_t u = (uint8_t)(n * 2);
    for (int i = 0; i < u / 2; i++) {
        s++;
    }
    for (int i = 0; i < (uint8_t)(n << 3) >> 2; i++) {
        s++;
    }
    for (int8_t d = (int8_t)n; d > 0; d /= 2) {
        s++;
    }
    for (uint8_t m = 1; m < n; m <<= 1) {
        if (++s > 50000) break;
    }
    for (uint16_t m = (uint16_t)n; m != 0; m >>= 1) {
        s++;
    }
    struct fields f = {(unsigned)n, n, (unsigned)n};
    for (int i = 0; i < f.a; i++) {
        s++;
    }
    for (int i = 0; i < f.b; i++) {
        s++;
    }
    for (f.c = 0; f.c < n; f.c++) {
        if (++s > 200000) break;
    }
    for (uint8_t e = 250; e >= 5; e += 1) {
        s++;
    }
    for (int i = 0; i < (n == (uint8_t)n ? 4 : 9); i++) {
        s++;
    }
    switch ((uint8_t)n) {
    case 0:
        for (int i = 0; i < 12; i++) {
            s++;
        }
        break;
    case 129:
        for (int i = 0; i < 13; i++) {
            s++;
        }
        break;
    default:
        for (int i = 0; i < 14; i++) {
            s++;
        }
    }
    printf("%ld\n", s);
    return 0;
}
