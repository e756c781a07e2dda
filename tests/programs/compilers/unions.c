/* args: 5 3 | 0 0 | 9 4 : unions, anonymous members, bit-fields, bounds read through another member */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
union Word {
    int32_t i;
    uint32_t u;
    float f;
    uint8_t bytes[4];
};
struct Sizes {
    union {
        int n;
        unsigned raw;
    };
    unsigned low : 4;
    unsigned high : 12;
};
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    union Word w = {.i = n};
    struct Sizes s = {.n = m, .low = 3, .high = 100};
    unsigned long total = 0;
    for (unsigned i = 0; i < w.u; i++) {
        total += i;
    }
    for (int i = 0; i < s.n; i++) {
        total += i;
    }
    for (unsigned i = 0; i < s.high; i += s.low) {
        total += w.bytes[i & 3];
    }
    for (int i = 0; i < (int)sizeof w.bytes; i++) {
        total ^= w.bytes[i];
    }
    printf("%lu\n", total);
}
