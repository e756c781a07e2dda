/* Five-point stencil on an n x n grid, some steps (Jacobi iteration of the Laplace equation).
 * Shows: steps*(n-2)**2 updates; bytes and operations per point. */
#include <stdio.h>
#include <stdlib.h>

static void sweep(int n, const double *from, double *to) {
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < n - 1; j++) {
            to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] + from[i * n + j - 1] + from[i * n + j + 1]);
        }
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 128;
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    size_t room = n > 0 ? (size_t)n * (size_t)n : 1;
    double *a = calloc(room, sizeof *a), *b = calloc(room, sizeof *b);
    if (!a || !b) return 1;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] = 1.0;
    }
    for (int s = 0; s < steps; s++) {
        sweep(n, a, b);
        double *other = a;
        a = b;
        b = other;
    }
    printf("%g\n", n > 2 ? a[n + 1] : 0.0);
    free(a);
    free(b);
    return 0;
}
