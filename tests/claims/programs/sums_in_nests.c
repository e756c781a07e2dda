/* args: 5 | 2 | 1000000000 | -3 | 2147483646 : sums and products in nests that wrap around, variables that start below zero : flags: -fwrapv */
#include <stdlib.h>
static volatile int t;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int j = 0; j < 5; j++) {
        int k = j * 1000000000;
        for (long i = 0; i < k; i += 100000000) {
            t++;
        }
    }
    for (int j = 0; j < 5; j++) {
        int k = j * n;
        for (long i = 0; i < k; i += 100000000) {
            t++;
        }
    }
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < j + n; i += 100000000) {
            t++;
        }
    }
    for (int j = 0; j < 5; j++) {
        if (j * 1000000000 > 5) {
            for (int i = 0; i < 3; i++) {
                t++;
            }
        }
    }
    for (unsigned j = 0; j < 5; j++) {
        for (long i = 0; i < j * 1000000000; i += 100000000) {
            t++;
        }
    }
    for (unsigned j = 0; j < 5; j++) {
        for (long i = 0; i < j - 3; i += 1000000000) {
            t++;
        }
    }
    size_t m = strtoul(argv[1], 0, 10);
    int down = -3, i = 0;
    do {
        t++;
        down++;
        if (down > (long)m) break;
        i += 3;
    } while (i < 8);
}
