#include <stdio.h>
#include <stdlib.h>
static long pairs(const int *x, int n, int cut) {
    long c = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && x[j] - x[i] < cut; j++) c++;
    return c;
}
static void cholesky(double *a, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
        for (int k = 0; k < i; k++) a[i * n + i] -= a[i * n + k] * a[i * n + k];
        if (a[i * n + i] < 1) a[i * n + i] = 1;
    }
}
static long insertion(int *v, int n) {
    long moves = 0;
    for (int i = 1; i < n; i++) {
        int x = v[i], j = i;
        while (j > 0 && v[j - 1] > x) { v[j] = v[j - 1]; j--; moves++; }
        v[j] = x;
    }
    return moves;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int *x = malloc(n * sizeof *x), *v = malloc(n * sizeof *v);
    unsigned st = 11; int at = 0;
    for (int i = 0; i < n; i++) {
        st = st * 1664525u + 1013904223u;
        at += (st >> 28); x[i] = at; v[i] = i + (int)(st >> 29);
    }
    double *a = malloc(sizeof(double) * m * m);
    for (int i = 0; i < m * m; i++) a[i] = (i % (m + 1)) ? 0.01 : m;
    long c = pairs(x, n, 40);
    c += insertion(v, n);
    cholesky(a, m);
    printf("%ld %g\n", c, a[m * m - 1]);
    return 0;
}
