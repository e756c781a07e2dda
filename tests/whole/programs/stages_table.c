/* 5 3: n=5 steps=3 | 8 2: n=8 steps=2 */
#include <stdio.h>
#include <stdlib.h>

struct state {
    int n;
    double *a, *b;
};

static void smooth(struct state *s) {
    for (int i = 1; i < s->n - 1; i++) { /* steps*(n - 2) */
        s->b[i] = (s->a[i - 1] + s->a[i + 1]) / 2;
    }
}

static void copy(struct state *s) {
    for (int i = 0; i < s->n; i++) { /* steps*n */
        s->a[i] = s->b[i];
    }
}

static const struct {
    const char *name;
    void (*run)(struct state *);
} stages[] = {{"smooth", smooth}, {"copy", copy}};

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s n steps\n", argv[0]);
        return 1;
    }
    struct state s;
    s.n = atoi(argv[1]);
    int steps = atoi(argv[2]);
    s.a = calloc(s.n, sizeof(double));
    s.b = calloc(s.n, sizeof(double));
    if (!s.a || !s.b) {
        free(s.a);
        free(s.b);
        return 1;
    }
    s.a[0] = 1;
    for (int t = 0; t < steps; t++) { /* steps */
        for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) { /* 2*steps */
            stages[k].run(&s);
        }
    }
    printf("%g\n", s.a[s.n / 2]);
    free(s.a);
    free(s.b);
    return 0;
}
