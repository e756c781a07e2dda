/* Forward substitution L x = b with a dense lower triangle.
 * Shows: a triangular nest, n*(n-1)/2 iterations. */
#include <stdio.h>
#include <stdlib.h>

static void solve(int n, const double *l, double *x) {
    for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int j = 0; j < i; j++) {
            sum -= l[(size_t)i * (size_t)n + (size_t)j] * x[j];
        }
        x[i] = sum / l[(size_t)i * (size_t)n + (size_t)i];
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 256;
    if (n < 0) {
        n = 0;
    }
    double *l = malloc(((size_t)n * (size_t)n + 1) * sizeof *l), *x = malloc(((size_t)n + 1) * sizeof *x);
    if (!l || !x) return 1;
    for (int i = 0; i < n; i++) {
        x[i] = 1.0;
        for (int j = 0; j <= i; j++) {
            l[(size_t)i * (size_t)n + (size_t)j] = i == j ? 2.0 : 1.0 / (1 + i + j);
        }
    }
    solve(n, l, x);
    printf("%g\n", n > 0 ? x[n - 1] : 0.0);
    free(l);
    free(x);
    return 0;
}
