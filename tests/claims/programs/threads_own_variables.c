/* args: 5 3 | 0 0 | 2 4 | 9 2 : variables of threads that main sets before a parallel region
   flags: -fopenmp */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static int own = 1;
#pragma omp threadprivate(own)
static __thread int mine = 2;
static int other = 1;
#pragma omp threadprivate(other)
static void look(void) {
    for (int i = 0; i < other; i++) {
#pragma omp atomic
        total++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    own = n;
    mine = m;
    other = n;
#pragma omp parallel
    {
        for (int i = 0; i < own; i++) {
#pragma omp atomic
            total++;
        }
        for (int i = 0; i < mine; i++) {
#pragma omp atomic
            total++;
        }
        look();
    }
    for (int i = 0; i < own; i++) {
        total++;
    }
    printf("%ld\n", total);
    return 0;
}
