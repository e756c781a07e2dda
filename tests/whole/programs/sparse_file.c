/* 6: n=6 | 9: n=9 */
#include <stdio.h>
#include <stdlib.h>
static int *row, *col;
static double *val;
static int nnz;
static void build(int n) {
    row = malloc((n + 1) * sizeof *row);
    col = malloc(3 * n * sizeof *col);
    val = malloc(3 * n * sizeof *val);
    nnz = 0;
    for (int i = 0; i < n; i++) { /* n */
        row[i] = nnz;
        for (int d = -1; d <= 1; d++) { /* 3*n */
            int j = i + d;
            if (j < 0 || j >= n) {
                continue;
            }
            col[nnz] = j;
            val[nnz] = d ? -1 : 2;
            nnz++;
        }
    }
    row[n] = nnz;
}
static double dot(const double *a, const double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* n*ITERS */
        s += a[i] * b[i];
    }
    return s;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    build(n);
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    for (int i = 0; i < n; i++) { /* n */
        x[i] = 1;
    }
    double last = 0, now = 1;
    while (now - last > 1e-6 || last - now > 1e-6) { /* ITERS */
        last = now;
        for (int i = 0; i < n; i++) { /* n*ITERS */
            y[i] = 0;
            for (int k = row[i]; k < row[i + 1]; k++) { /* (3*n-2)*ITERS */
                y[i] += val[k] * x[col[k]];
            }
        }
        now = dot(x, y, n);
        for (int i = 0; i < n; i++) { /* n*ITERS */
            x[i] = y[i] / (1 + now);
        }
    }
    printf("%g\n", now);
    return 0;
}
