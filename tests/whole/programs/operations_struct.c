/* 5 2: n=5 t=2 | 9 4: n=9 t=4 */
#include <stdio.h>
#include <stdlib.h>
struct solver;
struct solver_ops {
    const char *name;
    int (*init)(struct solver *s, int n);
    void (*step)(struct solver *s);
    void (*done)(struct solver *s);
};
struct solver { const struct solver_ops *ops; int n; double *x; };
static int jac_init(struct solver *s, int n) {
    s->n = n;
    s->x = malloc(n * sizeof(double));
    if (!s->x) return -1;
    for (int i = 0; i < n; i++) { /* n */
        s->x[i] = i;
    }
    return 0;
}
static void jac_step(struct solver *s) {
    for (int i = 1; i < s->n - 1; i++) { /* (n - 2)*t */
        s->x[i] = 0.5 * (s->x[i - 1] + s->x[i + 1]);
    }
}
static void jac_done(struct solver *s) { free(s->x); }
static int mat_init(struct solver *s, int n) {
    s->n = n;
    s->x = calloc(n * n, sizeof(double));
    return s->x ? 0 : -1;
}
static void mat_step(struct solver *s) {
    for (int i = 0; i < s->n; i++) { /* n*t */
        for (int j = 0; j < s->n; j++) { /* n*n*t */
            s->x[i * s->n + j] += i;
        }
    }
}
static const struct solver_ops jacobi = {"jacobi", jac_init, jac_step, jac_done};
static const struct solver_ops matrix = {"matrix", mat_init, mat_step, jac_done};
static int drive(const struct solver_ops *ops, int n, int t) {
    struct solver s = {.ops = ops};
    if (s.ops->init(&s, n) != 0) {
        fprintf(stderr, "%s: init failed\n", ops->name);
        return 1;
    }
    for (int k = 0; k < t; k++) { /* 2*t */
        s.ops->step(&s);
    }
    printf("%s %g\n", ops->name, s.x[n - 1]);
    s.ops->done(&s);
    return 0;
}
int main(int argc, char **argv) {
    if (argc != 3) { fprintf(stderr, "ops n t\n"); return 2; }
    int n = atoi(argv[1]), t = atoi(argv[2]);
    return drive(&jacobi, n, t) | drive(&matrix, n, t);
}
