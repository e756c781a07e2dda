/* args: 5 | 2147483653 | 4294967295 | 0 : masks, and constants that wrap around */
#include <stdlib.h>
static volatile int steps;
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10), v = 6;
    for (unsigned i = 0; i < (n & 0x7fffffff) && i < 9; i++) {
        steps++;
    }
    for (int i = 0; i < ((n + 7) & 0x7fffffff) / 100000000; i++) {
        steps++;
    }
    unsigned w = (n - n - 2000000000u) << 2;
    for (long i = 0; i < w; i += 100000000) {
        steps++;
    }
    for (int j = 0; j < 5; j++) {
        v -= 1000000000;
    }
    for (long i = 0; i < v; i += 100000000) {
        steps++;
    }
}
