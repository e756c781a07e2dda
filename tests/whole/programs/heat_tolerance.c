/* 10 1e-2: n=10 | 16 1e-2: n=16 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s n tolerance\n", argv[0]);
        return EXIT_FAILURE;
    }
    const int n = atoi(argv[1]);
    const double tolerance = strtod(argv[2], NULL);
    double *u = calloc(n + 2, sizeof *u), *v = calloc(n + 2, sizeof *v);
    if (u == NULL || v == NULL) {
        fputs("out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    u[0] = v[0] = 1;
    int sweeps = 0;
    for (;;) { /* sweeps */
        double change = 0;
        for (int i = 1; i <= n; i++) { /* sweeps*n */
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            change = fmax(change, fabs(v[i] - u[i]));
        }
        double *t = u;
        u = v;
        v = t;
        sweeps++;
        if (change < tolerance) {
            break;
        }
    }
    double s = 0;
    for (int i = 0; i < n + 2; i++) { /* n + 2 */
        s += u[i];
    }
    printf("%d %g\n", sweeps, s);
    free(u);
    free(v);
    return EXIT_SUCCESS;
}
