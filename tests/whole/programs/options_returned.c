/* -n 6 -s 4: n=6 steps=4 | -s 3 -v -n 9: n=9 steps=3 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct options {
    int n, steps;
    char verbose;
};
static struct options parse(int argc, char **argv) {
    struct options o = {100, 10, 0};
    for (int i = 1; i < argc; i++) { /* options */
        if (!strcmp(argv[i], "-n") && i + 1 < argc) {
            o.n = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "-s") && i + 1 < argc) {
            o.steps = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "-v")) {
            o.verbose = 1;
        } else {
            fprintf(stderr, "usage: %s [-n N] [-s STEPS] [-v]\n", argv[0]);
            exit(1);
        }
    }
    return o;
}
int main(int argc, char **argv) {
    const struct options o = parse(argc, argv);
    double *u = calloc(o.n + 1, sizeof *u), s = 0;
    if (u == NULL) {
        return 1;
    }
    for (int t = 0; t < o.steps; t++) { /* steps */
        for (int i = 0; i <= o.n; i++) { /* (n+1)*steps */
            u[i] += i;
        }
    }
    for (int i = 0; i < o.n; i++) { /* n */
        s += u[i + 1] - u[i];
    }
    if (o.verbose) {
        printf("%d steps\n", o.steps);
    }
    printf("%g\n", s);
    free(u);
    return 0;
}
