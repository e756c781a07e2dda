/* -n 5: nparticles=5 nsteps=4 | -t 2 -n 7: nparticles=7 nsteps=2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int nparticles = 10;
static int nsteps = 4;
static double *x, *v, *f;

static void usage(const char *name) {
    fprintf(stderr, "usage: %s [-n particles] [-t steps]\n", name);
    exit(1);
}

static void parse_args(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-n")) {
            if (++i >= argc)
                usage(argv[0]);
            nparticles = atoi(argv[i]);
        } else if (!strcmp(argv[i], "-t")) {
            if (++i >= argc)
                usage(argv[0]);
            nsteps = atoi(argv[i]);
        } else {
            usage(argv[0]);
        }
    }
}

static void forces(void) {
    for (int i = 0; i < nparticles; i++) { /* nparticles*nsteps */
        f[i] = 0;
        for (int j = 0; j < nparticles; j++) { /* nparticles**2*nsteps */
            if (i != j)
                f[i] += x[j] - x[i];
        }
    }
}

static void move(double dt) {
    for (int i = 0; i < nparticles; i++) { /* nparticles*nsteps */
        v[i] += dt * f[i];
        x[i] += dt * v[i];
    }
}

int main(int argc, char **argv) {
    parse_args(argc, argv);
    x = malloc(nparticles * sizeof *x);
    v = calloc(nparticles, sizeof *v);
    f = malloc(nparticles * sizeof *f);
    if (!x || !v || !f) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (int i = 0; i < nparticles; i++) { /* nparticles */
        x[i] = i;
    }
    for (int step = 0; step < nsteps; step++) { /* nsteps */
        forces();
        move(0.01);
    }
    printf("%g\n", x[0]);
    return 0;
}
