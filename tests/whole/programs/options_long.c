/* --size 7: size=7 steps=10 | --steps 4 --size 5: size=5 steps=4 | -s 6 -t 3: size=6 steps=3 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int size;
    long steps;
    int quiet;
} config;

static const struct option longopts[] = {
    {"size", required_argument, NULL, 's'},
    {"steps", required_argument, NULL, 't'},
    {"quiet", no_argument, NULL, 'q'},
    {NULL, 0, NULL, 0},
};

int main(int argc, char *argv[]) {
    config c = {.size = 32, .steps = 10};
    int opt;
    while ((opt = getopt_long(argc, argv, "s:t:q", longopts, NULL)) != -1) {
        switch (opt) {
        case 's': c.size = atoi(optarg); break;
        case 't': c.steps = strtol(optarg, NULL, 10); break;
        case 'q': c.quiet = 1; break;
        default: fprintf(stderr, "usage\n"); return EXIT_FAILURE;
        }
    }
    if (c.size <= 0 || c.steps <= 0) {
        fprintf(stderr, "size and steps must be positive\n");
        return EXIT_FAILURE;
    }
    double *a = malloc(c.size * sizeof *a), *b = malloc(c.size * sizeof *b);
    if (!a || !b) {
        free(a);
        free(b);
        return EXIT_FAILURE;
    }
    for (int i = 0; i < c.size; i++) { /* size */
        a[i] = i;
        b[i] = 0;
    }
    for (long t = 0; t < c.steps; t++) { /* steps */
        for (int i = 0; i < c.size; i++) { /* size*steps */
            b[i] += 0.5 * a[i];
        }
    }
    if (!c.quiet)
        printf("%g\n", b[c.size - 1]);
    free(a);
    free(b);
    return EXIT_SUCCESS;
}
