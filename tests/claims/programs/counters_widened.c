/* args: 5 3 | 4294967295 4294967293 | 4294967300 4294967290 | 0 0 | 6000000000 4294967295 | 2147483648 2147483645 : counters extended to wider integers */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static long t;
int main(int argc, char **argv) {
    size_t n = strtoull(argv[1], 0, 10);
    unsigned m = strtoul(argv[2], 0, 10);
    long l = strtol(argv[1], 0, 10);
    for (unsigned i = m, k = 0; i < n && k < 60; i++, k++) {
        t++;
    }
    for (unsigned i = m, k = 0; i < m + 9ul && k < 60; i++, k++) {
        t++;
    }
    for (unsigned i = ~0u, k = 0; k < 50 && !(i - n <= (m & 3)); i += 3, k++) {
        t++;
    }
    for (unsigned i = m, k = 0; i <= l && k < 60; i++, k++) {
        t++;
    }
    for (unsigned i = 0; i < n / 1000000000; i++) {
        t++;
    }
    for (unsigned i = 0, k = 0; i < n && k < 60; i += 1u << 28, k++) {
        t++;
    }
    for (unsigned i = 0; i < n; i += 300000007) {
        t++;
    }
    for (unsigned i = m, k = 0; i * 2ul < n && k < 60; i += 1u << 27, k++) {
        t++;
    }
    printf("%ld\n", t);
}
