// vary: n=-3:60; exact: 2 of 10
#include <stdio.h>
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    long a = 0, b = 1;
    while (a < n) {
        long c = a + b;
        a = b;
        b = c;
    }
    s = a;
    printf("%ld\n", (long)s);
    long f = 1, g = 1;
    do {
        long c = f + g;
        g = f;
        f = c;
    } while (f <= n);
    long x = 2, y = 3;
    for (int i = 0; x + y < 3 * n; i++) {
        long z = x + y;
        x = y;
        y = z;
        for (int j = 0; j < x; j++) {
            s++;
        }
    }
    long p = 1, q = 3;
    while (p < n) {
        long c = p + q;
        p = q;
        q = c;
    }
    long u = 4, v = 6;
    while (v <= n) {
        v = u + v;
        u = v - u;
    }
    unsigned d = 1, e = 2;
    while (e < 100) {
        unsigned t = d + e;
        d = e;
        e = t;
        s++;
    }
    for (long k = 0, l = 1; 2 * k < n; l = k + l, k = l - k) {
        s++;
    }
    for (long k = 0, l = 1, i = 0; i < n % 20; i++, l = k + l, k = l - k) {
        for (long j = 0; j < k + 2 * l; j++) {
            s++;
        }
    }
    return 0;
}
