/* Matrix product C = A B with A n x k, B k x m.
 * Shows: the exact law n*m*k of the innermost loop, 2*n*m*k flops, three parameters. */
#include <stdio.h>
#include <stdlib.h>

static void multiply(int n, int m, int k, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) {
                sum += a[i * k + l] * b[l * m + j];
            }
            c[i * m + j] = sum;
        }
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 64;
    int m = argc > 2 ? atoi(argv[2]) : n;
    int k = argc > 3 ? atoi(argv[3]) : n;
    size_t room = (size_t)(n > 0 ? n : 1), wide = (size_t)(m > 0 ? m : 1), deep = (size_t)(k > 0 ? k : 1);
    double *a = malloc(room * deep * sizeof *a), *b = malloc(deep * wide * sizeof *b), *c = calloc(room * wide, sizeof *c);
    if (!a || !b || !c) return 1;
    for (size_t i = 0; i < room * deep; i++) {
        a[i] = (double)(i % 7);
    }
    for (size_t i = 0; i < deep * wide; i++) {
        b[i] = (double)(i % 5);
    }
    multiply(n, m, k, a, b, c);
    printf("%g\n", c[room * wide / 2]);
    free(a);
    free(b);
    free(c);
    return 0;
}
