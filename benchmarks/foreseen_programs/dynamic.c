/* 600 4 */
#include <stdio.h>
#include <stdlib.h>
static int least(int a, int b) { return a < b ? a : b; }
static int distance(const char *a, int n, const char *b, int m, int *row) {
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int left = row[0]++;
        for (int j = 1; j <= m; j++) {
            int up = row[j];
            row[j] = a[i - 1] == b[j - 1] ? left : 1 + least(left, least(up, row[j - 1]));
            left = up;
        }
    }
    return row[m];
}
static long knapsack(const int *w, const int *v, int n, int c, long *best) {
    for (int k = 0; k <= c; k++) best[k] = 0;
    for (int i = 0; i < n; i++)
        for (int k = c; k >= w[i]; k--) if (best[k - w[i]] + v[i] > best[k]) best[k] = best[k - w[i]] + v[i];
    return best[c];
}
static int increasing(const int *v, int n, int *tail) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        int lo = 0, hi = k;
        while (lo < hi) { int m = (lo + hi) / 2; if (tail[m] < v[i]) lo = m + 1; else hi = m; }
        tail[lo] = v[i];
        if (lo == k) k++;
    }
    return k;
}
static int sieve(char *p, int n) {
    int c = 0;
    for (int i = 2; i < n; i++) p[i] = 1;
    for (int i = 2; i < n; i++) { if (!p[i]) continue; c++; for (long j = (long)i * i; j < n; j += i) p[j] = 0; }
    return c;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    char *a = malloc(n), *b = malloc(n), *p = malloc(50 * n);
    int *row = malloc(4L * (n + 1)), *w = malloc(4L * n), *v = malloc(4L * n), *tail = malloc(4L * n);
    long *best = malloc(8L * (4 * n + 1)), s = 0;
    unsigned st = 2;
    for (int i = 0; i < n; i++) { st = st * 1664525u + 1013904223u; a[i] = 'a' + (st >> 30); b[i] = 'a' + (st >> 28) % 4; w[i] = 1 + (st >> 20) % 50; v[i] = st >> 22; }
    for (int r = 0; r < rounds; r++) {
        s += distance(a, n, b, n, row) + knapsack(w, v, n, 4 * n, best) + sieve(p, 50 * n);
        for (int k = 0; k < 100; k++) s += increasing(v, n, tail);
    }
    printf("%ld\n", s);
    return 0;
}
