/* args: 5 3 | 0 0 | 2 4 | 9 2 : what all threads write before a barrier, and each for itself
   flags: -fopenmp */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long total;
static int g;
static struct { int a, b; } s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int cr = 0, at = 0, half = 0, one = 1, sum = 0, tid1 = 2, master = 1;
#pragma omp parallel
    {
#pragma omp critical
        cr += omp_get_thread_num() + 1;
#pragma omp barrier
#pragma omp master
        for (int i = 0; i < cr; i++) {
            total++;
        }
    }
#pragma omp parallel
    {
#pragma omp atomic
        at++;
#pragma omp atomic
        g += 2;
#pragma omp critical
        s.b += n;
#pragma omp barrier
        for (int i = 0; i < at; i++) {
#pragma omp atomic
            total++;
        }
        for (int i = 0; i < g; i++) {
#pragma omp atomic
            total++;
        }
#pragma omp for
        for (int i = 0; i < s.b; i++) {
#pragma omp atomic
            total++;
        }
    }
#pragma omp parallel
    {
#pragma omp single
        half = n / 2;
#pragma omp for
        for (int i = 0; i < half; i++) {
#pragma omp atomic
            total++;
        }
#pragma omp master
        master = m;
#pragma omp barrier
        for (int i = 0; i < master; i++) {
#pragma omp atomic
            total++;
        }
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            sum += 2;
        }
        for (int i = 0; i < sum; i++) {
#pragma omp atomic
            total++;
        }
        if (omp_get_thread_num() == 1) tid1 = n;
        if (omp_get_thread_num() == 0) one = m;
#pragma omp barrier
        for (int i = 0; i < one; i++) {
#pragma omp atomic
            total++;
        }
        for (int i = 0; i < tid1; i++) {
#pragma omp atomic
            total++;
        }
    }
    for (int i = 0; i < at + cr; i++) {
        total++;
    }
    for (int round = 0; round < 2; round++) {
        int cnt = 0;
#pragma omp parallel num_threads(2)
        {
            for (int step = 0; step < m; step++) {
                for (int i = 0; i < cnt; i++) {
#pragma omp atomic
                    total++;
                }
#pragma omp barrier
#pragma omp atomic
                cnt++;
#pragma omp barrier
            }
        }
    }
    printf("%ld\n", total);
    return 0;
}
