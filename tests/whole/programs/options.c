/* -n 8 --steps 3: n=8 steps=3 | -n 20 --steps 5: n=20 steps=5 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int n = 100, steps = 10, quiet = 0;
static void usage(const char *p) {
    fprintf(stderr, "usage: %s [-n N] [--steps S] [-q]\n", p);
    exit(1);
}
static void parse(int argc, char **argv) {
    for (int i = 1; i < argc; i++) { /* data */
        if (!strcmp(argv[i], "-n") && i + 1 < argc) {
            n = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "--steps") && i + 1 < argc) {
            steps = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "-q")) {
            quiet = 1;
        } else {
            usage(argv[0]);
        }
    }
}
int main(int argc, char **argv) {
    parse(argc, argv);
    if (n <= 0 || steps < 0) {
        usage(argv[0]);
    }
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    if (!u || !v) {
        perror("malloc");
        free(u);
        free(v);
        return 2;
    }
    for (int i = 0; i < n; i++) { /* n */
        u[i] = i == n / 2;
    }
    for (int t = 0; t < steps; t++) { /* steps */
        for (int i = 1; i < n - 1; i++) { /* steps*(n-2) */
            v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        }
        double *w = u;
        u = v;
        v = w;
    }
    if (!quiet) {
        printf("%g\n", u[n / 2]);
    }
    free(u);
    free(v);
    return 0;
}
