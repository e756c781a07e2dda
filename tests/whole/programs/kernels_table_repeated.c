/* 7 2: n=7 reps=2 | 12 3: n=12 reps=3 */
#include <stdio.h>
#include <stdlib.h>
typedef double (*kernel)(double *, int);
static double sum(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* n*reps */
        s += a[i];
    }
    return s;
}
static double pairs(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* n*reps */
        for (int j = 0; j < i; j++) { /* reps*n*(n-1)/2 */
            s += a[i] * a[j];
        }
    }
    return s;
}
static double halves(double *a, int n) {
    double s = 0;
    for (int k = n; k > 0; k /= 2) { /* reps*(floor(log(n,2))+1) */
        s += a[k - 1];
    }
    return s;
}
static const struct {
    const char *name;
    kernel f;
} kernels[] = {{"sum", sum}, {"pairs", pairs}, {"halves", halves}};
int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s n reps\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), reps = atoi(argv[2]);
    double *a = malloc(sizeof(double) * n);
    if (!a) {
        abort();
    }
    for (int i = 0; i < n; ++i) { /* n */
        a[i] = i;
    }
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) { /* 3 */
        double s = 0;
        for (int r = 0; r < reps; r++) { /* 3*reps */
            s += kernels[k].f(a, n);
        }
        printf("%s %g\n", kernels[k].name, s);
    }
    free(a);
    return 0;
}
