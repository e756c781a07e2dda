/* args: 5 3 | 1 1 | 2 2 | 9 4 : the state of libomp that a program sets, each task its own
   flags: -fopenmp */
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
static void set(int k) {
    omp_set_num_threads(k);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    omp_set_dynamic(0);
    region(n);
    set(m);
    region(n);
    for (int i = 0; i < omp_get_max_threads(); i++) {
        total++;
    }
#pragma omp parallel num_threads(1)
    {
        omp_set_num_threads(4);
        region(m);
#pragma omp task
        {
            omp_set_num_threads(1);
            region(m);
        }
#pragma omp taskwait
        region(m);
    }
    region(m);
    for (int t = 1; t <= m; t++) {
        omp_set_num_threads(t);
#pragma omp parallel
        {
            for (int i = 0; i < n; i++) {
#pragma omp atomic
                total++;
            }
        }
    }
    omp_set_num_threads(2);
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
        region(n);
#pragma omp parallel num_threads(3)
        region(2);
    }
    omp_set_nested(0);
#pragma omp parallel
    region(n);
    omp_set_max_active_levels(0);
    region(n);
    printf("%ld\n", total);
    return 0;
}
