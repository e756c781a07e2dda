/* 5 3: n=5 t=3 | 8 2: n=8 t=2 */
#include <stdio.h>
#include <stdlib.h>
struct shape;
struct ops { int (*init)(struct shape *s, int n); void (*step)(struct shape *s); };
struct shape { const struct ops *ops; int n; double *x; };
static int a_init(struct shape *s, int n) { s->n = n; s->x = calloc(n, 8); return s->x ? 0 : -1; }
static void a_step(struct shape *s) {
    for (int i = 0; i < s->n; i++) { /* n*t */
        s->x[i]++;
    }
}
static int b_init(struct shape *s, int n) { s->n = 2 * n; s->x = calloc(2 * n, 8); return s->x ? 0 : -1; }
static void b_step(struct shape *s) {
    for (int i = 1; i < s->n; i++) { /* (2*n - 1)*(t + 1) */
        s->x[i]--;
    }
}
static const struct ops A = {a_init, a_step}, B = {b_init, b_step};
static struct shape *create(const struct ops *ops, int n) {
    struct shape *s = malloc(sizeof *s);
    if (!s) return NULL;
    s->ops = ops;
    if (ops->init(s, n) < 0) { free(s); return NULL; }
    return s;
}
static void run(struct shape *s, int t) {
    for (int k = 0; k < t; k++) { /* 2*t + 1 */
        s->ops->step(s);
    }
}
int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s n t\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), t = atoi(argv[2]);
    struct shape *p = create(&A, n), *q = create(&B, n);
    if (!p || !q) { fprintf(stderr, "failed\n"); return 1; }
    run(p, t);
    run(q, t + 1);
    printf("%g %g\n", p->x[0], q->x[1]);
    return 0;
}
