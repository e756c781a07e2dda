/* 6 3: n=6 | 4 5: n=4 */
#include <stdio.h>
#include <stdlib.h>

struct system {
    int n;
    double *x, time;
    int *start;
    long step;
};

static int create(struct system **out, int n) {
    struct system *s = malloc(sizeof *s);
    if (!s)
        return -1;
    s->n = n;
    s->time = 0;
    s->step = 0;
    s->x = malloc(n * sizeof *s->x);
    s->start = malloc((n + 1) * sizeof *s->start);
    if (!s->x || !s->start) {
        free(s);
        return -1;
    }
    for (int i = 0; i <= n; i++) { /* 2*n + 2 */
        s->start[i] = 4 * i;
    }
    for (int i = 0; i < n; i++) { /* 2*n */
        s->x[i] = i;
    }
    *out = s;
    return 0;
}

static double advance(struct system *s) {
    double e = 0;
    for (double *x = s->x; x != s->x + s->n; ++x) { /* n*steps */
        *x *= 0.5;
        e += *x;
    }
    s->time += 1;
    s->step++;
    return e;
}

static long entries(const struct system *s) {
    long k = 0;
    for (int r = 0; r < s->n; r++) { /* n */
        for (int j = s->start[r]; j < s->start[r + 1]; j++) { /* 4*n */
            k++;
        }
    }
    return k;
}

static void shrink(struct system *s) { s->n -= 2; }

static double left(const struct system *s) {
    double e = 0;
    for (int i = 0; i < s->n; i++) { /* data */
        e += s->x[i];
    }
    return e;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s n steps\n", argv[0]);
        return 1;
    }
    int n = (int)strtol(argv[1], NULL, 10);
    long steps = strtol(argv[2], NULL, 0);
    struct system *s, *other;
    if (create(&other, n) != 0 || create(&s, n) != 0)
        return 1;
    double e = 0;
    while (s->time < 3) { /* steps */
        e += advance(s);
    }
    long k = entries(s);
    shrink(other);
    printf("%g %ld %g\n", e, k, left(other));
    return 0;
}
