/* 5 4: n=5 steps=4 | 8 2: n=8 steps=2 */
#include <stdio.h>
#include <stdlib.h>

struct sim {
    int n;
    int steps;
    double *x;
    double *y;
};

static int sim_init(struct sim *s, int n, int steps) {
    s->n = n;
    s->steps = steps;
    s->y = NULL;
    s->x = malloc(sizeof(double) * n);
    if (!s->x)
        return -1;
    s->y = malloc(sizeof(double) * n);
    if (!s->y)
        return -1;
    for (int i = 0; i < s->n; i++) { /* n */
        s->x[i] = i;
    }
    return 0;
}

static void sim_run(struct sim *s) {
    for (int t = 0; t < s->steps; t++) { /* steps */
        for (int i = 0; i < s->n; i++) { /* n*steps */
            s->y[i] = 2 * s->x[i];
        }
        double *swap = s->x;
        s->x = s->y;
        s->y = swap;
    }
}

int main(int argc, char **argv) {
    int rc = EXIT_FAILURE;
    struct sim s = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: %s n steps\n", argv[0]);
        goto out;
    }
    if (sim_init(&s, atoi(argv[1]), atoi(argv[2])) != 0) {
        fprintf(stderr, "cannot initialise\n");
        goto out;
    }
    sim_run(&s);
    double sum = 0;
    for (int i = 0; i < s.n; i++) { /* n */
        sum += s.x[i];
    }
    printf("%g\n", sum);
    rc = EXIT_SUCCESS;
out:
    free(s.x);
    free(s.y);
    return rc;
}
