/* args: 5 3 | 1 1 | 2 2 | 9 4 : how many threads a region has follows from what calls it
   flags: -fopenmp -fopenmp-version=51 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static void region(int n) {
#pragma omp parallel
    {
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            total++;
        }
    }
}
static void asked(int n, int k) {
#pragma omp parallel num_threads(k) if (n > 2)
    {
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            total++;
        }
    }
}
static void shared(int n) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        total++;
    }
    for (int i = 0; i < omp_get_num_threads(); i++) {
#pragma omp atomic
        total++;
    }
}
static void often(int n) {
    if (n > 1) often(n - 1);
#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 3; i++) {
#pragma omp atomic
            total++;
        }
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    region(n);
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        region(k);
    }
#pragma omp parallel
    {
        shared(m);
#pragma omp single
        {
#pragma omp task
            region(m);
        }
#pragma omp masked filter(2)
        for (int i = 0; i < m; i++) {
#pragma omp atomic
            total++;
        }
    }
    shared(n);
    asked(n, m);
#pragma omp parallel num_threads(1)
    asked(n, 2);
#pragma omp parallel num_threads(4) if (n > 4)
    {
        for (int i = 0; i < 2; i++) {
#pragma omp atomic
            total++;
        }
    }
#pragma omp parallel
    {
        for (int i = 0; i < 2; i++) {
#pragma omp atomic
            total++;
        }
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel for num_threads(3) if (0)
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            total++;
        }
#pragma omp parallel if (m > 2)
        region(3);
    }
    often(m);
#pragma omp parallel
    often(2);
    printf("%ld\n", total);
    return 0;
}
