/* args: 5 3 | 0 0 | 1 4 | 9 2 | 20 7 | 33 1 : jumps into loops, computed goto, Duff, bit-precise integers, 128 bits, variadic, main again */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static int sum(int count, ...) {
    va_list list;
    int s = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        s += va_arg(list, int);
    }
    va_end(list);
    return s;
}
static void duff(int n) {
    int rounds = (n + 3) / 4;
    if (n <= 0) return;
    switch (n % 4) {
    case 0:
    do {
        total++;
    case 3: total++;
    case 2: total++;
    case 1: total++;
    } while (--rounds > 0);
    }
}
static void threaded(int n) {
    static void *const labels[] = {&&up, &&skip, &&done};
    int at = 0;
    goto *labels[n > 0 ? 0 : 2];
up:
    for (int i = 0; i < n; i++) {
        total++;
    }
    goto *labels[at++ == 0 ? 1 : 2];
skip:
    for (int i = 0; i < 2; i++) {
        total++;
    }
    goto *labels[at < 2 ? 0 : 2];
done:
    return;
}
static void into(int n, int m) {
    int i = m;
    if (n > 4) goto middle;
    for (i = 0; i < n; i++) {
        total++;
    middle:
        total++;
    }
}
static int depth;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    unsigned __int128 wide = (unsigned __int128)n << 70;
    for (; wide > 1000000000000000000u; wide >>= 3) {
        total++;
    }
    for (int i = 0; i < sum(3, n, m, 1); i++) {
        total++;
    }
    duff(n);
    threaded(m);
    into(n, m);
    for (int i = 0; i < n; i++) {
        if (i == m) i += 2;
        total++;
    }
    int i = 0, j = n;
    while (i++ < n && j-- > m) {
        total++;
    }
    i = 0;
    do {
        if (i == m) continue;
        total++;
    } while (i++ < n);
    for (unsigned k = 1; k <= (unsigned)n; k *= 2) {
        total++;
    }
    for (unsigned char k = 1; k < n; k *= 3) {
        if (total++ > 90000) break;
    }
    for (unsigned k = 1u << (n & 31); k; k <<= 1) {
        total++;
    }
    for (int k = 1 << 30; k > m; k >>= 2) {
        total++;
    }
    char buffer[64], *p = buffer, *end = buffer + (n < 64 ? n : 64);
    for (; p < end; p += 3) {
        total++;
    }
    int rows = n > 0 ? n : 1;
    int vla[rows][2];
    for (unsigned k = 0; k < sizeof vla / sizeof *vla; k++) {
        total++;
    }
    printf("%ld\n", total);
    return 0;
}
