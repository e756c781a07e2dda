/* Conjugate gradients on the 2-D Poisson matrix of an n x n grid in CSR form, for some iterations.
 * Shows: exact row loops; a loop over a row's entries that memory (rowptr) bounds is modelled. */
#include <stdio.h>
#include <stdlib.h>

static int assemble(int n, int *rowptr, int *column, double *value) {
    int entries = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int row = i * n + j;
            rowptr[row] = entries;
            if (i > 0) {
                column[entries] = row - n;
                value[entries++] = -1;
            }
            if (j > 0) {
                column[entries] = row - 1;
                value[entries++] = -1;
            }
            column[entries] = row;
            value[entries++] = 4;
            if (j < n - 1) {
                column[entries] = row + 1;
                value[entries++] = -1;
            }
            if (i < n - 1) {
                column[entries] = row + n;
                value[entries++] = -1;
            }
        }
    }
    return entries;
}

static void product(int rows, const int *rowptr, const int *column, const double *value, const double *x, double *y) {
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = rowptr[i]; k < rowptr[i + 1]; k++) {
            sum += value[k] * x[column[k]];
        }
        y[i] = sum;
    }
}

static double dot(int rows, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < rows; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void add(int rows, double factor, const double *a, double *b) {
    for (int i = 0; i < rows; i++) {
        b[i] += factor * a[i];
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 50;
    int iterations = argc > 2 ? atoi(argv[2]) : 10;
    if (n < 0) {
        n = 0;
    }
    int rows = n * n;
    size_t room = (size_t)rows + 1;
    int *rowptr = calloc(room, sizeof *rowptr), *column = malloc(5 * room * sizeof *column);
    double *value = malloc(5 * room * sizeof *value), *x = calloc(room, sizeof *x), *r = malloc(room * sizeof *r);
    double *p = malloc(room * sizeof *p), *q = malloc(room * sizeof *q);
    if (!rowptr || !column || !value || !x || !r || !p || !q) return 1;
    rowptr[rows] = assemble(n, rowptr, column, value);
    for (int i = 0; i < rows; i++) {
        r[i] = p[i] = 1.0;
    }
    double rho = dot(rows, r, r);
    for (int it = 0; it < iterations; it++) {
        product(rows, rowptr, column, value, p, q);
        double alpha = rho / (dot(rows, p, q) + 1e-300);
        add(rows, alpha, p, x);
        add(rows, -alpha, q, r);
        double next = dot(rows, r, r), beta = next / (rho + 1e-300);
        rho = next;
        for (int i = 0; i < rows; i++) {
            p[i] = r[i] + beta * p[i];
        }
    }
    printf("%g\n", rho);
    free(rowptr);
    free(column);
    free(value);
    free(x);
    free(r);
    free(p);
    free(q);
    return 0;
}
