/* args: 5 3 | 1 1 | 2 2 | 9 4 : what sets sizes out of sight
   flags: -fopenmp -D_GNU_SOURCE */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static void (*volatile setter)(int) = omp_set_num_threads;
static void region(int n) {
#pragma omp parallel
    {
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            total++;
        }
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    setenv("OMP_NUM_THREADS", "2", 1);
    region(n);
    for (int i = 0; i < omp_get_max_threads(); i++) {
        total++;
    }
    setter(m);
    region(n);
    printf("%ld\n", total);
    return 0;
}
