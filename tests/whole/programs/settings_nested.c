/* 6 3: n=6 m=3 | 9 12: n=9 m=12 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int n, m;
    double tolerance;
} settings;
typedef struct {
    settings s;
    int sizes[8];
    int levels;
    double *x;
} state;
static settings read_settings(int argc, char **argv) {
    settings s = {10, 4, 1e-3};
    if (argc > 1) {
        s.n = atoi(argv[1]);
    }
    if (argc > 2) {
        s.m = atoi(argv[2]);
    }
    return s;
}
static void start(state *a, settings s) {
    a->s = s;
    a->levels = 0;
    for (int n = s.n; n > 1 && a->levels < 8; n /= 2) { /* data */
        a->sizes[a->levels++] = n;
    }
    s.n = 77;
    a->x = calloc(a->s.n, sizeof *a->x);
}
static void limit(settings *s) {
    if (s->m > 10) {
        s->m = 10;
    }
}
static state coarser(const state *a) {
    state b = *a;
    b.s.n *= 2;
    return b;
}
static int steps_of(state a) {
    a.levels = 1;
    for (int i = 0; i < a.s.m; i++) { /* Min(10, m) */
        a.s.n++;
    }
    return a.s.n;
}
int main(int argc, char **argv) {
    state a;
    start(&a, read_settings(argc, argv));
    limit(&a.s);
    state b = coarser(&a);
    int steps = steps_of(b);
    for (int t = 0; t < steps; t++) { /* 2*n + Min(10, m) */
        for (int i = 0; i < a.s.n; i++) { /* n*(2*n + Min(10, m)) */
            a.x[i] += t;
        }
    }
    for (int i = 0; i < b.s.n; i++) { /* 2*n */
        a.x[i / 2] += i;
    }
    printf("%g\n", a.x[0]);
    return 0;
}
