/* args: 5 1 | 5 4 | 8 7 | 3 0 : tables of functions whose entries branches, callers and loops choose */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void (*work)(double *u, int n);
struct stage {
    int n;
    double *u, *v;
    work steps[3];
};
static void f(double *u, int n) {
    for (int j = 0; j < n; j++) {
        u[j] += 1;
    }
}
static void g(double *u, int n) {
    for (int j = 0; j < 2 * n; j++) {
        u[j] *= 2;
    }
}
static void h(double *u, int n) {
    for (int j = 0; j < 3 * n; j++) {
        u[j] -= 3;
    }
}
static void fill(struct stage *s, int n, work last) {
    s->n = n;
    s->u = calloc(3 * n, sizeof(double));
    s->v = calloc(3 * n, sizeof(double));
    memset(s->v, 0, 3 * n * sizeof(double));
    s->steps[0] = f;
    s->steps[1] = g;
    s->steps[2] = last;
}
static void run(struct stage *s) {
    for (int k = 0; k < 3; k++) {
        s->steps[k](s->u, s->n);
    }
}
static void run_and_change(struct stage *s) {
    for (int k = 0; k < 3; k++) {
        s->steps[k](s->u, s->n);
        s->steps[2] = g;
        s->n++;
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, m = argc > 2 ? atoi(argv[2]) : 3;
    double *u = calloc(30 * n + 90, sizeof *u);
    work chosen = m > 3 ? f : g;
    work local[3];
    local[0] = f;
    local[1] = chosen;
    local[2] = h;
    for (int k = 0; k < 3; k++) {
        local[k](u, n);
    }
    struct stage one, two;
    fill(&one, n, h);
    fill(&two, n, chosen);
    run(&one);
    run(&two);
    two.steps[m % 3] = h;
    run(&two);
    fill(&one, n, h);
    one.u = u;
    run_and_change(&one);
    printf("%g %d\n", u[0], one.n);
    return 0;
}
