/* 6: n=6 | 9: n=9 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_ITER 500

static double sweep(double *x, const double *b, int n) {
    double worst = 0;
    for (int i = 0; i < n; i++) { /* n*sweeps */
        double left = i ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
        double next = (b[i] + left + right) / 4;
        worst = fmax(worst, fabs(next - x[i]));
        x[i] = next;
    }
    return worst;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "n?\n");
        return 1;
    }
    int n = (int)strtol(argv[1], NULL, 10);
    double *x = calloc(n, sizeof *x), *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++) { /* n */
        b[i] = 1;
    }
    int iteration = 0;
    double change;
    do { /* sweeps */
        change = sweep(x, b, n);
        iteration++;
    } while (change > 1e-6 && iteration < MAX_ITER);
    printf("%d %g\n", iteration, x[0]);
    return 0;
}
