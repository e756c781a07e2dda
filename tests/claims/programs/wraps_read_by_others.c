/* args: 3 | 50000 | 70000 | 65536 | 0 | -1 | 2147483647 | 100 : arithmetic that wraps around, read by other operations
   flags: -fwrapv */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uint64_t hash(int n, uint64_t h) {
    for (int i = 0; i < n; i++) {
        h = h * 31 + 7;
    }
    return h;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), t = 0;
    int m = n * n;
    for (int i = 0; i < m % 7; i++) {
        t++;
    }
    for (int i = 0; i < m / 100000000; i++) {
        t++;
    }
    for (int i = 0; i < (m >> 24); i++) {
        t++;
    }
    unsigned u = n;
    u = u * 65536;
    if (u == 0) {
        for (int i = 0; i < 3; i++) {
            t++;
        }
    }
    int k = n * 65536;
    if (k != 0) {
        for (int i = 0; i < 5; i++) {
            t++;
        }
    }
    uint64_t h = hash(n < 1000 ? n : 10, 5381);
    for (uint64_t i = 0; i < h % 11; i++) {
        t++;
    }
    size_t q = (size_t)n * n * n;
    for (size_t i = 0; i < q / 1000000000000000000u; i++) {
        t++;
    }
    double d = m;
    if (d < 0) {
        for (int i = 0; i < 4; i++) {
            t++;
        }
    }
    int s = 1;
    for (int i = 0; i < 20; i++) {
        s = s * 3 + n;
    }
    for (int i = 0; i < s % 11; i++) {
        t++;
    }
    int w = 0;
    for (int i = 0; i < n && i < 100; i++) {
        w += n;
    }
    for (int i = 0; i < w % 13; i++) {
        t++;
    }
    long wide = (long)n * n * n;
    wide = wide * wide;
    for (long i = 0; i < wide % 9; i++) {
        t++;
    }
    switch (k) {
    case 0:
        for (int i = 0; i < 6; i++) {
            t++;
        }
        break;
    case 65536:
        for (int i = 0; i < 2; i++) {
            t++;
        }
        break;
    }
    uint64_t p = 1;
    for (int i = 0; i < (n < 100 ? n : 100); i++) {
        p *= 3;
    }
    for (uint64_t i = 0; i < p % 10; i++) {
        t++;
    }
    for (uint64_t i = 0; i < (p >> 61); i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
