/* args: 5 3 | 0 0 | 2 4 | 9 2 | 20 7 | 300 260 : types through typedefs, struct returns, arrays of narrow, compound assignments, casts in conditions */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef unsigned char octet;
typedef octet level;
typedef struct { level low, high; int16_t span; } band;
static band make(int n, int m) { return (band){n, m, n * m}; }
static octet sum(const octet *p, int n) {
    octet s = 0;
    for (int i = 0; i < n; i++) {
        s += p[i];
    }
    return s;
}
static int8_t negate(int8_t v) { return -v; }
static unsigned short scale(unsigned short v, int f) { return v * f; }
static _Bool any(int v) { return v; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    band b = make(n, m);
    for (int i = b.low; i < b.high; i++) {
        s++;
    }
    for (int i = 0; i < b.span; i++) {
        s++;
    }
    octet bytes[4] = {n, m, 1, 200};
    for (int i = 0; i < sum(bytes, 4); i++) {
        s++;
    }
    for (int i = 0; i < negate(n); i++) {
        s++;
    }
    for (int i = 0; i < scale(n, 300) % 1000; i++) {
        s++;
    }
    octet k = n;
    k <<= 1;
    for (int i = 0; i < k; i++) {
        s++;
    }
    k = n;
    k = ~k;
    for (int i = 0; i < k; i++) {
        s++;
    }
    k = n;
    k -= m;
    for (int i = 0; i < k; i++) {
        s++;
    }
    k = n;
    k *= m;
    for (octet i = 0; i < k; i++) {
        s++;
    }
    for (int i = 0; (octet)i < (octet)n; i++) {
        s++;
    }
    for (int i = 0; (int8_t)i >= 0; i++) {
        s++;
    }
    for (int i = 0; i < (short)(n * 1000); i++) {
        s++;
    }
    for (int i = n; (signed char)i > 0; i -= 3) {
        if (++s > 100000) break;
    }
    for (int i = 0; i < (n > 4 ? (octet)n : (int8_t)m); i++) {
        s++;
    }
    for (int i = 0; i < any(n) + any(m); i++) {
        s++;
    }
    for (uint16_t i = 65530; i > 10; i++) {
        s++;
    }
    for (int8_t i = 100; i > 0; i++) {
        s++;
    }
    for (int16_t i = n; i >= 0 && i < 400; i += 100) {
        s++;
    }
    uint8_t pos = 0;
    for (int i = 0; i < n; i++) {
        pos += 7;
    }
    while (pos--) {
        s++;
    }
    uint8_t ring = n;
    do {
        ring += 5;
        s++;
    } while (ring != (uint8_t)n);
    enum { few, many = 300 } e = n > m ? many : few;
    for (uint8_t i = 0; i < (uint8_t)e; i++) {
        s++;
    }
    int64_t wide = (int64_t)n << 33;
    for (int i = 0; i < (int)(wide >> 32); i++) {
        s++;
    }
    for (int i = 0; i < (int)wide + 2; i++) {
        s++;
    }
    for (unsigned long i = 0; i < (unsigned)(n - m) % 50; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
