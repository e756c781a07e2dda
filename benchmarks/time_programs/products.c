/* Matrix product: i-j-k as in textbooks, i-k-j, and in blocks of 32. */
#include <stdio.h>
#include <stdlib.h>

static void textbook(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void rows(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double f = a[i * n + k];
            for (int j = 0; j < n; j++) c[i * n + j] += f * b[k * n + j];
        }
}

static void blocked(int n, const double *a, const double *b, double *c) {
    for (int kk = 0; kk < n; kk += 32)
        for (int jj = 0; jj < n; jj += 32)
            for (int i = 0; i < n; i++)
                for (int k = kk; k < kk + 32 && k < n; k++) {
                    double f = a[i * n + k];
                    for (int j = jj; j < jj + 32 && j < n; j++) c[i * n + j] += f * b[k * n + j];
                }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 64;
    size_t cells = (size_t)n * n;
    double *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b), *c = malloc(cells * sizeof *c);
    for (size_t k = 0; k < cells; k++) a[k] = k % 11, b[k] = k % 13, c[k] = 0;
    textbook(n, a, b, c);
    rows(n, a, b, c);
    blocked(n, a, b, c);
    printf("%g\n", c[cells / 2]);
    return 0;
}
