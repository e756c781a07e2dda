/* args: 5 | 0 | 9 | 200 : counters of all widths, mixed signs, size_t, ptrdiff_t */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = atoi(argv[1]);
    if (n < 0 || n > 250) return 2;
    uint64_t s = 0;
    for (uint8_t i = 0; i < (uint8_t)n; i++) {
        s += i;
    }
    for (short i = 0; i < n; i++) {
        s += i;
    }
    for (size_t i = 0; i < (size_t)n; i++) {
        s += i;
    }
    for (ptrdiff_t i = n; i >= 0; i--) {
        s += i;
    }
    for (int64_t i = -n; i < (int64_t)n * 1000000; i += 1000000) {
        s += i;
    }
    for (_Bool again = n > 0; again; again = 0) {
        s++;
    }
    for (unsigned i = n; i-- > 0;) {
        s ^= i;
    }
    printf("%llu\n", (unsigned long long)s);
}
