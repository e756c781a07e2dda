/* args: 5 | 0 | 1 | -3 | 40 : unsigned loops that count down, compare with negative values, mix widths */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long steps = 0;
    for (unsigned i = n; i >= 0; i--) {
        if (++steps > 1000) break;
    }
    for (unsigned i = 0; i < n; i++) {
        if (++steps > 3000) break;
    }
    for (unsigned i = 0; i < n - 1; i++) {
        if (++steps > 6000) break;
    }
    for (unsigned i = n - 1; i < n; i--) {
        if (++steps > 9000) break;
    }
    for (size_t i = 0; i < n; i++) {
        if (++steps > 12000) break;
    }
    for (long i = 0; i < (unsigned)n; i++) {
        if (++steps > 15000) break;
    }
    for (int i = 0; i < 10u - n; i++) {
        if (++steps > 18000) break;
    }
    unsigned m = 10;
    while (m-- > n) {
        if (++steps > 21000) break;
    }
    for (unsigned i = 0; i != n; i += 3) {
        if (++steps > 24000) break;
    }
    printf("%ld\n", steps);
    return 0;
}
