/* 6: n=6 | 9: n=9 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TEND 0.5

int main(int argc, char **argv) {
    int n = 16;
    if (argc == 2)
        n = atoi(argv[1]);
    double dx = 1.0 / n, dt = 0.4 * dx * dx;
    double *u = malloc((n + 1) * sizeof(double)), *w = malloc((n + 1) * sizeof(double));
    for (int i = 0; i <= n; i++) { /* n + 1 */
        u[i] = sin(3.14159 * i * dx);
    }
    double t;
    long steps = 0;
    for (t = 0; t < TEND; t += dt) { /* steps */
        for (int i = 1; i < n; i++) { /* steps*(n - 1) */
            w[i] = u[i] + dt / (dx * dx) * (u[i + 1] - 2 * u[i] + u[i - 1]);
        }
        for (int i = 1; i < n; i++) { /* steps*(n - 1) */
            u[i] = w[i];
        }
        steps++;
    }
    printf("%ld %g\n", steps, u[n / 2]);
    return 0;
}
