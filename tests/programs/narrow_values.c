// vary: n=0:17 m=0:9; exact: 27 of 27
// Values of few bits, tests that their types decide, and loops that end in the middle.
#include <stdlib.h>

static volatile long s;
static int a[32];

static void run(int times) {
    for (int i = 0; i < times; i++) {
        s++;
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    unsigned char c = (unsigned char)n;
    signed char d = (signed char)m;
    unsigned short w = (unsigned short)m;
    unsigned u = (unsigned)n, v = (unsigned)m;
    if (c < 256)
        for (int i = 0; i < n; i++) {
            s++;
        }
    if (c >= 256)
        for (int i = 0; i < 100 + n; i++) {
            s++;
        }
    if (c <= 255 && d < 128)
        for (int i = 0; i < n + 1; i++) {
            s++;
        }
    if (c == 300 || d > 127)
        for (int i = 0; i < 200 + n; i++) {
            s++;
        }
    if (d >= -128 && c != 256)
        for (int i = 0; i < n + 2; i++) {
            s++;
        }
    if (d < -128 || d <= -129)
        for (int i = 0; i < 300 + n; i++) {
            s++;
        }
    if (d < 5)
        for (int i = 0; i < n + 3; i++) {
            s++;
        }
    if (c > 5)
        for (int i = 0; i < n + 4; i++) {
            s++;
        }
    for (unsigned char k = 0; k < 10; k++) {
        s++;
    }
    for (unsigned char k = c; k > 0; k--) {
        s++;
    }
    for (; w > 0; w--) {
        s++;
    }
    for (unsigned k = 0; k < u * v; k++) {
        s++;
    }
    for (long k = 0; k < (long)n * m; k += 3) {
        s++;
    }
    for (int i = 0; !(i >= n); i++) {
        s++;
    }
    for (int i = 0; !!(i < m); i++) {
        s++;
    }
    int t = (int)((long)n * 2);
    for (int i = 0; i < t; i++) {
        s++;
    }
    for (double x = 0; x < 0.5 * n; x += 0.25) {
        s++;
    }
    for (double x = n * 0.25; x > -0.5 * m; x -= 0.5) {
        s++;
    }
    for (double x = -n; x < m; x += 2) {
        s++;
    }
    for (int i = 0; i < n; i++) {
        s++;
        if (i == m) break;
        for (int k = 0; k < 2; k++) {
            s++;
        }
    }
    int done = 0;
    for (int i = 0; !done && i < n; i++) {
        if (i == 5) done = 1;
        s++;
    }
    for (int *p = a, *end = a + n; p != end; p++) {
        s++;
    }
    for (int *p = a + m; p > a; p--) {
        s++;
    }
    for (int i = 0; i < n; i++) {
        if (a + i != a + m)
            for (int k = 0; k < 3; k++) {
                s++;
            }
    }
    run(n / 3 + n % 3);
    run((n - 9) / 4 + 3);
    run((n - 9) % 4 + 3);
    return 0;
}
