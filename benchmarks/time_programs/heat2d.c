/* Heat equation on an n x n plate with a coefficient a cell, 6 explicit steps; residual each step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void step(int n, const double *restrict u, const double *restrict c, double *restrict v) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            size_t k = (size_t)i * n + j;
            v[k] = u[k] + c[k] * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] - 4 * u[k]);
        }
}

static double change(int n, const double *u, const double *v) {
    double worst = 0;
    for (size_t k = 0; k < (size_t)n * n; k++) {
        double d = fabs(u[k] - v[k]);
        if (d > worst) worst = d;
    }
    return worst;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    size_t cells = (size_t)n * n;
    double *u = malloc(cells * sizeof *u), *v = malloc(cells * sizeof *v), *c = malloc(cells * sizeof *c), worst = 0;
    for (size_t k = 0; k < cells; k++) {
        u[k] = v[k] = k % 7;
        c[k] = 0.1 + 0.01 * (k % 5);
    }
    for (int s = 0; s < 6; s++) {
        step(n, u, c, v);
        worst = change(n, u, v);
        double *t = u;
        u = v;
        v = t;
    }
    printf("%g %g\n", worst, u[n + 1]);
    return 0;
}
