/* args: 5 3 | 4294967295 2 | 4294967290 7 | 4026531841 1 | 18446744073709551615 4 | 17293822569102704641 4 | 2147483648 4 : steps that lead beyond the largest number */
#include <stdio.h>
#include <stdlib.h>
static long t;
static void f(unsigned n) {
    for (unsigned i = 0, k = 0; i < n; i += 1u << 28) {
        t++;
        if (++k > 40) break;
    }
    for (unsigned i = 0, k = 0; i <= n; i += 1u << 28) {
        t++;
        if (++k > 40) break;
    }
}
static void g(size_t n) {
    for (size_t i = 0, k = 0; i < n; i += 1ull << 60) {
        t++;
        if (++k > 40) break;
    }
    for (size_t i = 0, k = 0; i + 5 <= n; i += 1ull << 60) {
        t++;
        if (++k > 40) break;
    }
}
static void h(unsigned n, unsigned s) {
    for (unsigned i = 0, k = 0; i < n && k < 50; i += s << 27, k++) {
        t++;
    }
    for (unsigned i = 1, k = 0; i < n && k < 50; i *= s, k++) {
        t++;
    }
    for (unsigned i = n, k = 0; i > s && k < 50; i -= 1u << 28, k++) {
        t++;
    }
    for (unsigned i = n, k = 0; i >= s && k < 50; i -= 1u << 28, k++) {
        t++;
    }
    for (unsigned i = n, k = 0; i != s && k < 50; i -= 1u << 28, k++) {
        t++;
    }
    for (unsigned i = 0, k = 0; i * 2 < n && k < 50; i += 1u << 27, k++) {
        t++;
    }
    for (unsigned i = 0, k = 0; i + n > 5 && k < 50; i += 1u << 28, k++) {
        t++;
    }
    for (unsigned i = 1, k = 0; i <= n && k < 50; i <<= 1, k++) {
        t++;
    }
    for (unsigned i = 1, k = 0; i <= n && k < 50; i = i * 3 + 1, k++) {
        t++;
    }
    for (unsigned i = 0, j = n, k = 0; i < j && k < 50; i += 1u << 28, j -= 1u << 28, k++) {
        t++;
    }
    for (unsigned i = 0, k = 0; i * i < n && k < 50; i += 20000, k++) {
        t++;
    }
}
static void l(unsigned long n, unsigned long s) {
    for (unsigned long i = 1, k = 0; i < n && k < 70; i *= s, k++) {
        t++;
    }
    for (unsigned long i = n, k = 0; i >= s && k < 70; i -= 1ul << 60, k++) {
        t++;
    }
    for (unsigned long i = 1, k = 0; i <= n && k < 70; i <<= 1, k++) {
        t++;
    }
    for (unsigned long i = 0, k = 0; i * i < n && k < 70; i += 1ul << 28, k++) {
        t++;
    }
    for (unsigned long i = n + 5, k = 0; i > 4 && k < 70; i /= 3, k++) {
        t++;
    }
    for (unsigned long i = 0, k = 0; i < n - s && k < 70; i += 1ul << 58, k++) {
        t++;
    }
    for (unsigned long i = 0, k = 0; i < n * s / 4 && k < 70; i += 1ul << 58, k++) {
        t++;
    }
    for (unsigned long i = 0, k = 0; i < (n + s) / 2 && k < 70; i += 1ul << 58, k++) {
        t++;
    }
    for (long i = 0, k = 0; i < (long)(n + s) / 2 && k < 70; i += 1ul << 58, k++) {
        t++;
    }
}
int main(int argc, char **argv) {
    unsigned long n = strtoul(argv[1], 0, 10), m = strtoul(argv[2], 0, 10);
    f(n);
    g(n);
    h(n, m);
    l(n, m);
    l(n + m, m);
    h(m, n);
    printf("%ld\n", t);
}
