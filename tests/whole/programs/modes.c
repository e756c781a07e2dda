/* 5 0: n=5 mode=0 | 7 1: n=7 mode=1 */
#include <stdio.h>
#include <stdlib.h>

static void dense(double *a, int n) {
    for (int i = 0; i < n; i++) { /* Piecewise((n, Eq(mode, 0)), (0, True)) */
        for (int j = 0; j < n; j++) { /* Piecewise((n**2, Eq(mode, 0)), (0, True)) */
            a[i * n + j] = 1;
        }
    }
}

static void diagonal(double *a, int n) {
    for (int i = 0; i < n; i++) { /* Piecewise((n, Ne(mode, 0)), (0, True)) */
        a[i * n + i] = 1;
    }
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s n mode\n", argv[0]);
        exit(EXIT_FAILURE);
    }
    int n = atoi(argv[1]);
    int mode = atoi(argv[2]);
    double *a = calloc(n * n, sizeof(double));
    if (mode == 0)
        dense(a, n);
    else
        diagonal(a, n);
    double trace = 0;
    for (int i = 0; i < n; i++) { /* n */
        trace += a[i * n + i];
    }
    printf("%g\n", trace);
    return 0;
}
