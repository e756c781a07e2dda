/* Transposition of an n x n matrix: plain, and in blocks of 16. */
#include <stdio.h>
#include <stdlib.h>

static void plain(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[(size_t)j * n + i] = a[(size_t)i * n + j];
}

static void blocked(int n, const double *a, double *b) {
    for (int ii = 0; ii < n; ii += 16)
        for (int jj = 0; jj < n; jj += 16)
            for (int i = ii; i < ii + 16 && i < n; i++)
                for (int j = jj; j < jj + 16 && j < n; j++) b[(size_t)j * n + i] = a[(size_t)i * n + j];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    double *a = malloc((size_t)n * n * sizeof *a), *b = malloc((size_t)n * n * sizeof *b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[(size_t)i * n + j] = i - j, b[(size_t)i * n + j] = 0;
    for (int r = 0; r < 3; r++) plain(n, a, b);
    for (int r = 0; r < 3; r++) blocked(n, b, a);
    printf("%g\n", a[n / 2] + b[n / 3]);
    return 0;
}
