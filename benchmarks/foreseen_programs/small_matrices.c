/* 3000 30 4 */
#include <stdio.h>
#include <stdlib.h>
static void multiply(const double *a, const double *b, double *c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
static double determinant(double *a, int n) {
    double d = 1;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) if (a[i * n + k] * a[i * n + k] > a[p * n + k] * a[p * n + k]) p = i;
        if (a[p * n + k] == 0) return 0;
        for (int j = 0; j < n && p != k; j++) { double t = a[p * n + j]; a[p * n + j] = a[k * n + j]; a[k * n + j] = t; }
        d *= p == k ? a[k * n + k] : -a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
    }
    return d;
}
int main(int argc, char **argv) {
    int cells = atoi(argv[1]), rounds = atoi(argv[2]), n = atoi(argv[3]);
    double *a = malloc(8L * cells * n * n), *b = malloc(8L * n * n), *c = malloc(8L * n * n), s = 0;
    for (int k = 0; k < cells * n * n; k++) a[k] = (k * 37 % 11) - 4;
    for (int k = 0; k < n * n; k++) b[k] = k % 3;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < cells; k++) { multiply(a + k * n * n, b, c, n); s += determinant(c, n); }
    printf("%g\n", s);
    return 0;
}
