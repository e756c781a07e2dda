/* args: 5 3 | 0 0 | 2 4 | 9 2 | 30 7 : iterations that depend on the thread that runs them
   flags: -fopenmp */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static void each(int n) {
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        total++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), k = 1, deep = 0;
#pragma omp parallel
    {
        int mine = omp_get_thread_num() + 1;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < mine; j++) {
#pragma omp atomic
                total++;
            }
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++) {
            each(mine);
            if (omp_get_thread_num() == 0) {
                for (int j = 0; j < 2; j++) {
#pragma omp atomic
                    total++;
                }
            }
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            each(m);
            for (int j = 0; j < i; j++) {
#pragma omp atomic
                total++;
            }
        }
#pragma omp master
        for (int j = 0; j < mine; j++) {
            total++;
        }
    }
#pragma omp parallel for firstprivate(k)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++) {
#pragma omp atomic
            total++;
        }
        k++;
    }
#pragma omp parallel for reduction(+ : deep)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < deep; j++) {
#pragma omp atomic
            total++;
        }
        deep += 1;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long s = 0;
        for (int j = 0; j < m; j++) {
            s += j;
        }
        for (int j = 0; j < s; j++) {
#pragma omp atomic
            total++;
        }
    }
    printf("%ld\n", total);
    return 0;
}
