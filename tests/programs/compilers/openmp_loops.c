/* args: 5 3 | 0 0 | 9 4 : OpenMP: atomics on floating-point values, critical, reductions, simd */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    double s = 0, best = 0;
    float product = 1;
    long hits = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        s += i;
#pragma omp atomic
        product *= 2;
#pragma omp atomic
        hits += 3;
    }
#pragma omp parallel for reduction(+ : s) reduction(max : best) schedule(static)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            s += j;
            best = best > j ? best : j;
        }
    }
#pragma omp parallel
    {
#pragma omp for nowait schedule(static, 2)
        for (int i = 0; i < m; i++) {
#pragma omp critical
            hits += i;
        }
#pragma omp single
        for (int i = 0; i < n; i++) {
            hits--;
        }
    }
#pragma omp simd reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s += 0.5;
    }
    printf("%g %g %g %ld\n", s, best, product, hits);
}
