/* Products of pairs of vectors on a team of threads (symmetric rank-k update of a lower triangle).
 * Shows: k*n*(n+1)/2 products, however shared; a loop that is not shared runs on every thread. */
#include <stdio.h>
#include <stdlib.h>

static void update(int n, int k, const double *a, double *c) {
    #pragma omp parallel
    {
        double scale[8];
        for (int s = 0; s < 8; s++) {
            scale[s] = 1.0 / (s + 1);
        }
        #pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int l = 0; l < k; l++) {
                    sum += a[(size_t)i * k + l] * a[(size_t)j * k + l];
                }
                c[(size_t)i * n + j] = sum * scale[i % 8];
            }
        }
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 128;
    int k = argc > 2 ? atoi(argv[2]) : 16;
    if (n < 1 || k < 1) return 1;
    double *a = calloc((size_t)n * k, sizeof *a), *c = calloc((size_t)n * n, sizeof *c);
    if (!a || !c) return 1;
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < k; l++) {
            a[(size_t)i * k + l] = (i + l) % 5;
        }
    }
    update(n, k, a, c);
    printf("%g\n", c[(size_t)n * n - 1]);
    free(a);
    free(c);
    return 0;
}
