/* 5: n=5 | 12: n=12 */
#include <stdio.h>
#include <stdlib.h>

typedef double (*map_fn)(double, void *);

static double scale(double x, void *data) {
    return x * *(double *)data;
}

static double power(double x, void *data) {
    int k = *(int *)data;
    double y = 1;
    for (int i = 0; i < k; i++) { /* 7*n */
        y *= x;
    }
    return y;
}

static void map(double *a, int n, map_fn f, void *data) {
    for (int i = 0; i < n; i++) { /* 2*n */
        a[i] = f(a[i], data);
    }
}

static void for_each_pair(int n, void (*visit)(int, int, long *), long *sum) {
    for (int i = 0; i < n; i++) { /* n */
        for (int j = i + 1; j < n; j++) { /* n*(n - 1)/2 */
            visit(i, j, sum);
        }
    }
}

static void add_pair(int i, int j, long *sum) {
    for (int k = 0; k < 3; k++) { /* 3*n*(n - 1)/2 */
        *sum += i * j + k;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    double *a = malloc(sizeof *a * n);
    for (int i = 0; i < n; i++) { /* n */
        a[i] = 1.0 / (i + 1);
    }
    double factor = 2;
    int exponent = 7;
    map(a, n, scale, &factor);
    map(a, n, power, &exponent);
    long sum = 0;
    for_each_pair(n, add_pair, &sum);
    printf("%g %ld\n", a[n - 1], sum);
    free(a);
    return 0;
}
