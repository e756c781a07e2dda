/* 6 2: n=6 reps=2 | 9 3: n=9 reps=3 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
struct bench {
    const char *name;
    void (*fn)(struct bench *);
    int n;
    double *a, *b;
};
static void copy(struct bench *x) {
    for (int i = 0; i < x->n; i++) { /* n*reps */
        x->a[i] = x->b[i];
    }
}
static void tri(struct bench *x) {
    for (int i = 0; i < x->n; i++) { /* n*reps */
        for (int j = i; j < x->n; j++) { /* reps*n*(n+1)/2 */
            x->a[i] += x->b[j];
        }
    }
}
static double timeit(struct bench *x, int reps) {
    clock_t t = clock();
    for (int r = 0; r < reps; r++) { /* 2*reps */
        x->fn(x);
    }
    return (double)(clock() - t) / CLOCKS_PER_SEC;
}
static void *xmalloc(size_t s) {
    void *p = malloc(s);
    if (!p) {
        fputs("oom\n", stderr);
        exit(1);
    }
    return p;
}
int main(int argc, char **argv) {
    if (argc != 3) {
        return 1;
    }
    int n = atoi(argv[1]), reps = atoi(argv[2]);
    double *a = xmalloc(n * sizeof *a), *b = xmalloc(n * sizeof *b);
    for (int i = 0; i < n; i++) { /* n */
        a[i] = b[i] = i;
    }
    struct bench all[] = {{"copy", copy, n, a, b}, {"tri", tri, n, a, b}};
    for (int k = 0; k < 2; k++) { /* 2 */
        fprintf(stderr, "%s %g\n", all[k].name, timeit(&all[k], reps));
    }
    printf("%g\n", a[0]);
    return 0;
}
