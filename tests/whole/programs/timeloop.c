/* 5: n=5 | 8: n=8 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
static double dt_for(const double *u, int n) {
    double m = 1e-9;
    for (int i = 0; i < n; i++) { /* n*STEPS */
        m = fmax(m, fabs(u[i]));
    }
    return 0.4 / n / m;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *u = malloc(n * sizeof *u), *w = malloc(n * sizeof *w);
    if (!u) {
        return 1;
    }
    if (!w) {
        free(u);
        return 1;
    }
    for (int i = 0; i < n; i++) { /* n */
        u[i] = sin(6.28 * i / n);
    }
    double t = 0, end = 0.05;
    int steps = 0;
    while (t < end) { /* STEPS */
        double dt = dt_for(u, n);
        if (t + dt > end) {
            dt = end - t;
        }
        for (int i = 1; i < n; i++) { /* (n-1)*STEPS */
            w[i] = u[i] - dt * n * u[i] * (u[i] - u[i - 1]);
        }
        for (int i = 1; i < n; i++) { /* (n-1)*STEPS */
            u[i] = w[i];
        }
        t += dt;
        steps++;
    }
    printf("%d %g\n", steps, u[n / 2]);
    return 0;
}
