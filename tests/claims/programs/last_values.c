/* args: 3 5 | 8 2 | 12 1 | 1 9 | 6 6 : pragmas of OpenMP: reductions, schedules, sections, tasks, lastprivate, threadprivate
   flags: -fopenmp */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int tp;
#pragma omp threadprivate(tp)
static int limit;
static void body(int n) {
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        limit++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0, last = 2, count = 0;
#pragma omp parallel for reduction(+ : s) lastprivate(last) schedule(static, 2)
    for (int i = 0; i < n; i++) {
        s += i;
        last = i + 1;
    }
    for (int i = 0; i < last; i++) {
        s++;
    }
#pragma omp parallel sections
    {
#pragma omp section
        {
            body(n);
        }
#pragma omp section
        {
            body(m);
        }
    }
    for (int i = 0; i < limit; i++) {
        s++;
    }
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < m; i++) {
#pragma omp task
                {
#pragma omp atomic
                    count += 2;
                }
            }
        }
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
#pragma omp critical
            {
                count++;
            }
        }
#pragma omp master
        {
            limit = n;
        }
    }
    for (int i = 0; i < count; i++) {
        s++;
    }
    for (int i = 0; i < limit; i++) {
        s++;
    }
    tp = n;
#pragma omp parallel
    {
        tp = 3;
    }
    for (int i = 0; i < tp; i++) {
        s++;
    }
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
#pragma omp atomic
            s++;
        }
    }
    int a[8] = {n, n, n, n, n, n, n, n};
#pragma omp simd
    for (int i = 0; i < 8; i++) {
        a[i] += i;
    }
    for (int i = 0; i < a[3]; i++) {
        s++;
    }
    int fp = n;
#pragma omp parallel for firstprivate(fp)
    for (int i = 0; i < 4; i++) {
        fp += i;
        for (int j = 0; j < m; j++) {
#pragma omp atomic
            s++;
        }
    }
    for (int i = 0; i < fp; i++) {
        s++;
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
        int id = omp_get_thread_num();
        for (int i = 0; i < n + 0 * id; i++) {
#pragma omp atomic
            s++;
        }
    }
    int mx = 0;
#pragma omp parallel for reduction(max : mx)
    for (int i = 0; i < n; i++) {
        mx = i > mx ? i : mx;
    }
    for (int i = 0; i < mx; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
