/* args: 5 3 | 0 0 | 2 4 | 9 2 : variables of each thread, and those of all
   flags: -fopenmp */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static int own = 1, all = 1;
#pragma omp threadprivate(own)
static __thread int mine = 2;
static void step(void) {
#pragma omp atomic
    total++;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), k = 0;
#pragma omp parallel
    {
        own += m;
        for (int i = 0; i < own; i++) {
            step();
        }
        mine += 1;
        for (int i = 0; i < mine; i++) {
            step();
        }
    }
#pragma omp parallel
    {
        for (int i = 0; i < own; i++) {
            step();
        }
        int once = 0;
#pragma omp critical
        {
            all += 1;
            once = all;
        }
        for (int i = 0; i < once; i++) {
            step();
        }
        int before;
#pragma omp atomic capture
        before = k++;
        for (int i = 0; i < before; i++) {
            step();
        }
    }
    for (int i = 0; i < all; i++) {
        step();
    }
    for (int i = 0; i < own; i++) {
        step();
    }
#pragma omp parallel copyin(own)
    {
        for (int i = 0; i < own; i++) {
            step();
        }
    }
    int x = 0;
#pragma omp parallel private(x)
    {
        x = 2;
        x += n;
        for (int i = 0; i < x; i++) {
            step();
        }
    }
    for (int i = 0; i < x; i++) {
        step();
    }
    int found = 0;
#pragma omp parallel for reduction(max : found)
    for (int i = 0; i < n; i++) {
        found = i > found ? i : found;
    }
    for (int i = 0; i < found; i++) {
        step();
    }
    int sum = 1;
#pragma omp parallel reduction(+ : sum)
    sum += 2;
    for (int i = 0; i < sum; i++) {
        step();
    }
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < omp_get_thread_num() + 1; i++) {
            step();
        }
        int chunk = n / omp_get_num_threads();
        for (int i = 0; i < chunk; i++) {
            step();
        }
        int from = omp_get_thread_num() * n / omp_get_num_threads();
        int to = (omp_get_thread_num() + 1) * n / omp_get_num_threads();
        for (int i = from; i < to; i++) {
            step();
        }
    }
    printf("%ld\n", total);
    return 0;
}
