/* CSR sparse matrix times vector: n rows, 8 random columns a row. */
#include <stdio.h>
#include <stdlib.h>

static unsigned next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void fill(int n, int *start, int *column, double *value) {
    unsigned state = 1;
    start[0] = 0;
    for (int i = 0; i < n; i++) {
        int at = start[i];
        for (int k = 0; k < 8; k++) {
            column[at + k] = (int)(next(&state) % (unsigned)n);
            value[at + k] = 1.0 / (1 + k);
        }
        start[i + 1] = at + 8;
    }
}

static void multiply(int n, const int *start, const int *column, const double *value, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int *start = malloc((n + 1) * sizeof *start), *column = malloc(8 * (size_t)n * sizeof *column);
    double *value = malloc(8 * (size_t)n * sizeof *value), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) x[i] = 1.0 + i % 3;
    fill(n, start, column, value);
    for (int r = 0; r < 5; r++) multiply(n, start, column, value, x, y);
    printf("%g\n", y[n / 2]);
    return 0;
}
