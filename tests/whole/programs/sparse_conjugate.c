/* 6 4: n=6 iters=4 | 9 2: n=9 iters=2 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct csr { int n, nnz; int *ptr, *col; double *val; };

static struct csr laplace1d(int n) {
    struct csr a;
    a.n = n;
    a.ptr = malloc((n + 1) * sizeof(int));
    a.col = malloc(3 * n * sizeof(int));
    a.val = malloc(3 * n * sizeof(double));
    int k = 0;
    for (int i = 0; i < n; i++) { /* n */
        a.ptr[i] = k;
        if (i > 0) { a.col[k] = i - 1; a.val[k++] = -1; }
        a.col[k] = i; a.val[k++] = 2;
        if (i < n - 1) { a.col[k] = i + 1; a.val[k++] = -1; }
    }
    a.ptr[n] = k;
    a.nnz = k;
    return a;
}

static void spmv(const struct csr *a, const double *x, double *y) {
    for (int i = 0; i < a->n; i++) { /* n*(1 + iters) */
        double s = 0;
        for (int k = a->ptr[i]; k < a->ptr[i + 1]; k++) { /* (3*n - 2)*(1 + iters) */
            s += a->val[k] * x[a->col[k]];
        }
        y[i] = s;
    }
}

static double dot(int n, const double *x, const double *y) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* n*(1 + 2*iters) */
        s += x[i] * y[i];
    }
    return s;
}

static void axpy(int n, double a, const double *x, double *y) {
    for (int i = 0; i < n; i++) { /* 2*n*iters */
        y[i] += a * x[i];
    }
}

static void xpby(int n, const double *x, double b, double *y) {
    for (int i = 0; i < n; i++) { /* n*iters */
        y[i] = x[i] + b * y[i];
    }
}

int main(int argc, char **argv) {
    if (argc != 3) { fprintf(stderr, "usage: cg n iters\n"); return 1; }
    int n = atoi(argv[1]), iters = atoi(argv[2]);
    struct csr a = laplace1d(n);
    double *x = calloc(n, sizeof(double)), *r = malloc(n * sizeof(double));
    double *p = malloc(n * sizeof(double)), *q = malloc(n * sizeof(double));
    spmv(&a, x, q);
    for (int i = 0; i < n; i++) { /* n */
        r[i] = 1.0 - q[i];
        p[i] = r[i];
    }
    double rho = dot(n, r, r);
    for (int it = 0; it < iters; it++) { /* iters */
        spmv(&a, p, q);
        double alpha = rho / dot(n, p, q);
        axpy(n, alpha, p, x);
        axpy(n, -alpha, q, r);
        double rho2 = dot(n, r, r);
        xpby(n, r, rho2 / rho, p);
        rho = rho2;
    }
    printf("%d %g\n", a.nnz, sqrt(rho));
    free(a.ptr); free(a.col); free(a.val);
    free(x); free(r); free(p); free(q);
    return 0;
}
