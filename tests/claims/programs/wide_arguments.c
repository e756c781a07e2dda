/* args: 5 3 | 0 0 | -2 4 | 9 -2 | 100 7 | 3000000000 2 | 9000000000000000000 9 | -9000000000000000000 5 : 128 bits, long */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static long t;
static long m_or(long m) { return m > 0 ? m : 3; }
int main(int argc, char **argv) {
    long n = strtol(argv[1], 0, 10), m = strtol(argv[2], 0, 10);
    for (__int128 i = 0; i < (__int128)n % 20; i++) {
        t++;
    }
    unsigned __int128 p = (unsigned __int128)n * (uint64_t)m;
    for (uint64_t i = 0; i < (uint64_t)(p >> 64); i++) {
        t++;
    }
    for (uint64_t i = 0; i < (uint64_t)p % 9; i++) {
        t++;
    }
    int k = n;
    for (int i = 0; i < k % 12; i++) {
        t++;
    }
    unsigned u = n;
    for (unsigned i = 0; i < u % 12; i++) {
        t++;
    }
    uint64_t s = (uint64_t)n * 3;
    for (uint64_t i = 0; i < s % 11; i++) {
        t++;
    }
    uint64_t q = (uint64_t)n + (uint64_t)n + (uint64_t)n;
    for (uint64_t i = 0; i < q % 7; i++) {
        t++;
    }
    int64_t avg = (n + m) / 2;
    for (int64_t i = 0; i < avg && i < 15; i++) {
        t++;
    }
    uint64_t x = n;
    for (uint64_t i = 0; i < (x >> 60); i++) {
        t++;
    }
    for (uint64_t i = 0; i < (x << 4) % 10; i++) {
        t++;
    }
    for (int64_t i = n; i > n - 5; i--) {
        t++;
    }
    for (size_t i = 0; i < (size_t)n - (size_t)m && i < 30; i++) {
        t++;
    }
    short h = n;
    for (int i = 0; i < h && i < 30; i++) {
        t++;
    }
    signed char ch = n;
    for (int i = 0; i < ch && i < 30; i++) {
        t++;
    }
    _Bool b = n;
    for (int i = 0; i < b + 1; i++) {
        t++;
    }
    int64_t r = n % m_or(m);
    for (int64_t i = 0; i < r; i++) {
        t++;
        if (t > 100000) break;
    }
    printf("%ld\n", t);
    return 0;
}
