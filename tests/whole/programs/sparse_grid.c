/* 4 3 2: nx=4 ny=3 iters=2 | 7 5 3: nx=7 ny=5 iters=3 */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n; int *ptr, *col; double *val; } csr;
static void poisson(csr *a, int nx, int ny) {
    int n = nx * ny, k = 0;
    a->n = n;
    a->ptr = malloc((n + 1) * sizeof(int));
    a->col = malloc(5 * n * sizeof(int));
    a->val = malloc(5 * n * sizeof(double));
    a->ptr[0] = 0;
    for (int j = 0; j < ny; j++) { /* ny */
        for (int i = 0; i < nx; i++) { /* nx*ny */
            int row = j * nx + i;
            if (j > 0) { a->col[k] = row - nx; a->val[k++] = -1; }
            if (i > 0) { a->col[k] = row - 1; a->val[k++] = -1; }
            a->col[k] = row; a->val[k++] = 4;
            if (i < nx - 1) { a->col[k] = row + 1; a->val[k++] = -1; }
            if (j < ny - 1) { a->col[k] = row + nx; a->val[k++] = -1; }
            a->ptr[row + 1] = k;
        }
    }
}
static void spmv(const csr *a, const double *x, double *y) {
    for (int i = 0; i < a->n; i++) { /* nx*ny*(iters + 1) */
        double s = 0;
        for (int k = a->ptr[i]; k < a->ptr[i + 1]; k++) { /* (5*nx*ny - 2*nx - 2*ny)*(iters + 1) */
            s += a->val[k] * x[a->col[k]];
        }
        y[i] = s;
    }
}
int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s nx ny iterations\n", argv[0]);
        return 1;
    }
    int nx = atoi(argv[1]), ny = atoi(argv[2]), iters = atoi(argv[3]);
    csr a;
    poisson(&a, nx, ny);
    double *x = calloc(a.n, sizeof(double)), *y = calloc(a.n, sizeof(double));
    spmv(&a, x, y);
    for (int it = 0; it < iters; it++) { /* iters */
        spmv(&a, x, y);
        double *t = x; x = y; y = t;
    }
    printf("%g\n", x[0]);
    return 0;
}
