/* 6 2: n=6 reps=2 | 9 3: n=9 reps=3 */
#include <stdio.h>
#include <stdlib.h>
typedef double (*kernel)(double *, int);
struct stage {
    const char *name;
    kernel run;
};
static double scale(double *a, int n) {
    for (int i = 0; i < n; i++) { /* 2*n*reps */
        a[i] *= 1.5;
    }
    return a[0];
}
static double smooth(double *a, int n) {
    for (int i = 1; i < n - 1; i++) { /* (n-2)*reps */
        a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    }
    return a[1];
}
int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s N REPS\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), reps = atoi(argv[2]), used = 0;
    double *a = calloc(n, sizeof *a);
    struct stage *stages = malloc(3 * sizeof *stages);
    if (a == NULL || stages == NULL) {
        return 1;
    }
    stages[used].name = "scale";
    stages[used++].run = scale;
    stages[used].name = "smooth";
    stages[used++].run = smooth;
    stages[used].name = "again";
    stages[used++].run = scale;
    double s = 0;
    for (int r = 0; r < reps; r++) { /* reps */
        for (int k = 0; k < used; k++) { /* 3*reps */
            s += stages[k].run(a, n);
        }
    }
    printf("%g\n", s);
    free(stages);
    free(a);
    return 0;
}
