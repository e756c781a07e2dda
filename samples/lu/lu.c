/* LU factorisation without pivoting, in place.
 * Shows: a nest that shrinks with its outermost loop, (n-1)*n*(2*n-1)/6 updates. */
#include <stdio.h>
#include <stdlib.h>

static void factor(int n, double *a) {
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            a[(size_t)i * n + k] /= a[(size_t)k * n + k];
            for (int j = k + 1; j < n; j++) {
                a[(size_t)i * n + j] -= a[(size_t)i * n + k] * a[(size_t)k * n + j];
            }
        }
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 128;
    size_t room = n > 0 ? (size_t)n : 1;
    double *a = malloc(room * room * sizeof *a);
    if (!a) return 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[(size_t)i * n + j] = i == j ? n + 1.0 : 1.0 / (1 + i + j);
        }
    }
    factor(n, a);
    printf("%g\n", n > 0 ? a[room * room - 1] : 0.0);
    free(a);
    return 0;
}
