/* args: 5 3 | 0 0 | 2 4 | 9 2 : shapes of parallel regions
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
static long fib(int n) {
    long a, b;
    if (n < 2) return n;
    for (int i = 0; i < 2; i++) {
#pragma omp atomic
        total++;
    }
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
#pragma omp parallel
    each(n);
#pragma omp parallel num_threads(3)
    {
        for (int i = 0; i < m; i++) {
#pragma omp atomic
            s++;
        }
    }
#pragma omp parallel if (n > 4)
    {
        for (int i = 0; i < 2; i++) {
#pragma omp atomic
            s++;
        }
    }
#pragma omp parallel
    {
#pragma omp master
        for (int i = 0; i < n; i++) {
            s++;
        }
#pragma omp barrier
#pragma omp single nowait
        for (int i = 0; i < n; i++) {
            s++;
        }
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            s++;
        }
#pragma omp for ordered schedule(static, 1)
        for (int i = n; i > 0; i -= 2) {
#pragma omp ordered
            s++;
        }
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < m; i++) {
#pragma omp atomic
                s++;
            }
        }
        for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
#pragma omp atomic
            s++;
        }
#pragma omp critical
        for (int i = 0; i < m; i++) {
            s++;
        }
    }
    omp_set_num_threads(2);
#pragma omp parallel
    {
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            s++;
        }
    }
#pragma omp parallel for collapse(2) schedule(guided)
    for (int i = 0; i < n; i++) {
        for (int j = i; j < m; j++) {
#pragma omp atomic
            s++;
        }
    }
#pragma omp parallel
#pragma omp single
    s += fib(m);
#pragma omp parallel sections
    {
#pragma omp section
        each(m);
#pragma omp section
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            s++;
        }
    }
    for (int i = 0; i < omp_get_max_threads(); i++) {
        s++;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp simd
        for (int j = 0; j < m; j++) {
            s += 0;
        }
#pragma omp parallel for
        for (int j = 0; j < 2; j++) {
#pragma omp atomic
            s++;
        }
    }
#pragma omp taskloop num_tasks(3)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        s++;
    }
#pragma omp parallel
    {
        int mine = omp_get_thread_num() + 1;
        for (int i = 0; i < mine; i++) {
#pragma omp atomic
            s++;
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < mine; j++) {
#pragma omp atomic
                s++;
            }
        }
    }
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            if (i == 3) {
#pragma omp cancel for
            }
            each(1);
        }
    }
    printf("%ld %ld\n", s, total);
    return 0;
}
