/* 6 3 2: n=6 steps=3 every=2 | 4 5 2: n=4 steps=5 every=2 */
#include <stdio.h>
#include <stdlib.h>

typedef void (*phase)(double *, int);

static void first(double *a, int n) {
    for (int i = 0; i < n; i++) { /* n*steps */
        a[i] += 1;
    }
}

static void second(double *a, int n) {
    for (int i = n - 1; i > 0; i--) { /* steps*(n - 1) */
        a[i] -= a[i - 1];
    }
}

static double report(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* n*ceiling(steps/every) */
        s += a[i];
    }
    return s;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s n steps every\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), steps = atoi(argv[2]), every = atoi(argv[3]);
    if (n <= 0 || steps < 0 || every <= 0) {
        fprintf(stderr, "bad arguments\n");
        return 1;
    }
    phase phases[2] = {first, second};
    double *a = calloc(n, sizeof *a);
    if (!a) {
        perror("calloc");
        return 1;
    }
    for (int s = 0; s < steps; s++) { /* steps */
        for (int p = 0; p < 2; p++) { /* 2*steps */
            phases[p](a, n);
        }
        if (s % every == 0)
            printf("%g\n", report(a, n));
    }
    free(a);
    return 0;
}
