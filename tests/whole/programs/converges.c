/* 5: n=5 | 8: n=8 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 16;
    double *x = calloc(n * n, sizeof *x), *y = calloc(n * n, sizeof *y);
    if (x == NULL || y == NULL) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    for (int i = 0; i < n; i++) { /* n */
        x[i] = y[i] = 1;
    }
    double error = 1;
    int iter = 0;
    while (error > 1e-3 && iter < 1000) { /* steps */
        error = 0;
        for (int i = 1; i < n - 1; i++) { /* steps*(n - 2) */
            for (int j = 1; j < n - 1; j++) { /* steps*(n - 2)**2 */
                y[i * n + j] = 0.25 * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1]
                    + x[i * n + j + 1]);
                error = fmax(error, fabs(y[i * n + j] - x[i * n + j]));
            }
        }
        for (int i = 1; i < n - 1; i++) { /* steps*(n - 2) */
            for (int j = 1; j < n - 1; j++) { /* steps*(n - 2)**2 */
                x[i * n + j] = y[i * n + j];
            }
        }
        iter++;
    }
    printf("%d %g\n", iter, error);
    return 0;
}
