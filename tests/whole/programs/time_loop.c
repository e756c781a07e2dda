/* 6 1.0: n=6 | 9 0.5: n=9 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct state {
    int n;
    double time, dt, stop;
    double *u, *f;
};

static double limit(const struct state *s) {
    double least = 1e30;
    for (int i = 0; i < s->n; i++) { /* steps*n */
        double d = 0.1 / (1 + fabs(s->u[i]));
        if (d < least)
            least = d;
    }
    return least;
}

static void flux(struct state *s) {
    for (int i = 1; i < s->n; i++) { /* steps*(n - 1) */
        s->f[i] = s->u[i] - s->u[i - 1];
    }
}

static void update(struct state *s) {
    for (int i = 1; i < s->n - 1; i++) { /* steps*(n - 2) */
        s->u[i] += s->dt * (s->f[i + 1] - s->f[i]);
    }
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s cells stop\n", argv[0]);
        return 1;
    }
    struct state s;
    s.n = atoi(argv[1]);
    s.stop = atof(argv[2]);
    s.time = 0;
    s.u = malloc(s.n * sizeof(double));
    s.f = malloc(s.n * sizeof(double));
    if (s.u == NULL || s.f == NULL)
        return 1;
    for (int i = 0; i < s.n; i++) { /* n */
        s.u[i] = i % 3;
    }
    int cycle = 0;
    while (s.time < s.stop) { /* steps */
        s.dt = limit(&s);
        flux(&s);
        update(&s);
        s.time += s.dt;
        cycle++;
    }
    printf("%d %g\n", cycle, s.u[1]);
    return 0;
}
