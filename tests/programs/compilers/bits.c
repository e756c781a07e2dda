/* args: 5 | 0 | 9 | 255 | -3 : shifts, masks, builtins for bits, powers of two */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = atoi(argv[1]);
    unsigned u = (unsigned)n, ones = 0;
    for (unsigned v = u & 0xff; v; v &= v - 1) {
        ones++;
    }
    for (int i = 1; i < n; i <<= 1) {
        ones++;
    }
    for (unsigned v = u & 0xffff; v != 0; v >>= 1) {
        ones++;
    }
    for (int i = 0; i < (1 << 5); i++) {
        ones ^= i;
    }
    for (int i = 0; i < (n & 7); i++) {
        ones += i;
    }
    for (int i = 0; i < __builtin_popcount(5u) + __builtin_ctz(8); i++) {
        ones += i;
    }
    for (int i = n & ~3; i < n; i++) {
        ones--;
    }
    for (int i = 0; i < (n | 1); i += 2) {
        ones--;
    }
    printf("%u\n", ones);
}
