/* 6 1e-6: n=6 | 10 1e-8: n=10 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double dot(int n, const double *x, const double *y) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* n*(1 + 2*steps) */
        s += x[i] * y[i];
    }
    return s;
}

static void axpy(int n, double a, const double *x, double *y) {
    for (int i = 0; i < n; i++) { /* 2*n*steps */
        y[i] += a * x[i];
    }
}

static void apply(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) { /* n*steps */
        y[i] = 2.5 * x[i];
        if (i > 0)
            y[i] -= x[i - 1];
        if (i < n - 1)
            y[i] -= x[i + 1];
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        printf("usage: %s n [tolerance]\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]);
    double tolerance = argc > 2 ? atof(argv[2]) : 1e-8;
    double *x = calloc(n, sizeof *x), *r = malloc(n * sizeof *r);
    double *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++) { /* n */
        r[i] = p[i] = 1 + i % 3;
    }
    double rho = dot(n, r, r);
    int iterations = 0;
    while (sqrt(rho) > tolerance) { /* steps */
        apply(n, p, q);
        double alpha = rho / dot(n, p, q);
        axpy(n, alpha, p, x);
        axpy(n, -alpha, q, r);
        double next = dot(n, r, r);
        double beta = next / rho;
        for (int i = 0; i < n; i++) { /* n*steps */
            p[i] = r[i] + beta * p[i];
        }
        rho = next;
        iterations++;
    }
    printf("%d %g\n", iterations, x[0]);
    return 0;
}
