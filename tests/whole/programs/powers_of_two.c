/* 3: m=3 | 5: m=5 | 1: m=1 */
#include <stdio.h>
#include <stdlib.h>

static void recursive(double *x, int n) {
    if (n < 2)
        return;
    double *t = malloc(n * sizeof *t);
    int h = n / 2;
    for (int i = 0; i < h; i++) { /* m*2**m/2 */
        t[i] = x[2 * i];
        t[h + i] = x[2 * i + 1];
    }
    recursive(t, h);
    recursive(t + h, h);
    for (int i = 0; i < h; i++) { /* m*2**m/2 */
        x[i] = t[i] + t[h + i];
        x[h + i] = t[i] - t[h + i];
    }
    free(t);
}

static void iterative(double *a, int n) {
    for (int len = 2; len <= n; len <<= 1) { /* m */
        for (int i = 0; i < n; i += len) { /* 2**m - 1 */
            for (int j = 0; j < len / 2; j++) { /* m*2**m/2 */
                double u = a[i + j], v = a[i + j + len / 2];
                a[i + j] = u + v;
                a[i + j + len / 2] = u - v;
            }
        }
    }
}

static void coarsen(double *u, int n, int sweeps) {
    for (int k = n; k > 1; k /= 2) { /* m */
        for (int s = 0; s < sweeps; s++) { /* 3*m */
            for (int i = 1; i < k; i++) { /* 3*(2*2**m - 2 - m) */
                u[i] = (u[i - 1] + u[i]) / 2;
            }
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    int m = atoi(argv[1]);
    if (m < 1 || m > 20) {
        fprintf(stderr, "m is out of range\n");
        return 1;
    }
    int n = 1 << m;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) { /* 2**m */
        a[i] = i % 3;
    }
    recursive(a, n);
    iterative(a, n);
    coarsen(a, n, 3);
    printf("%g\n", a[n - 1]);
    return 0;
}
