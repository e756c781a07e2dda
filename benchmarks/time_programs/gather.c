/* Gather y[i] = x[index[i]] with random indices, and scatter-add. */
#include <stdio.h>
#include <stdlib.h>

static void gather(int n, const int *index, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] = x[index[i]] * 2.0;
}

static void scatter(int n, const int *index, const double *y, double *x) {
    for (int i = 0; i < n; i++) x[index[i]] += y[i];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10000;
    int *index = malloc(n * sizeof *index);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    unsigned state = 7;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        index[i] = (int)((((unsigned long long)state) * (unsigned long long)n) >> 32);
        x[i] = i;
        y[i] = 0;
    }
    for (int r = 0; r < 4; r++) gather(n, index, x, y);
    for (int r = 0; r < 4; r++) scatter(n, index, y, x);
    printf("%g\n", y[n / 2] + x[n / 3]);
    return 0;
}
