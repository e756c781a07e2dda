/* -n 8 -i 3 -v: n=8 iters=3 | --iterations 2 --size 5: n=5 iters=2 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    int n;
    int iters;
    int verbose;
    double omega;
} cfg = {10, 5, 0, 1.5};

static double (*u)[66];

static double red(void) {
    double s = 0;
    for (int i = 0; i < cfg.n; i++) { /* n */
        for (int j = i & 1; j < cfg.n; j += 2) { /* ceiling(n**2/2) */
            s += u[i + 1][j + 1];
        }
    }
    return s;
}

static void usage(const char *p) {
    fprintf(stderr, "usage: %s [--size N] [--iterations I]\n", p);
    exit(2);
}

static void parse(int argc, char **argv) {
    static const struct option longs[] = {
        {"size", required_argument, NULL, 'n'},
        {"iterations", required_argument, NULL, 'i'},
        {"verbose", no_argument, NULL, 'v'},
        {0, 0, 0, 0},
    };
    int c;
    while ((c = getopt_long(argc, argv, "n:i:v", longs, NULL)) >= 0) { /* data */
        switch (c) {
        case 'n':
            cfg.n = (int)strtol(optarg, NULL, 10);
            break;
        case 'i':
            cfg.iters = (int)strtol(optarg, NULL, 10);
            break;
        case 'v':
            cfg.verbose++;
            break;
        default:
            usage(argv[0]);
        }
    }
    if (cfg.n < 1 || cfg.n > 64)
        usage(argv[0]);
}

static double sweep(int colour) {
    double change = 0;
    for (int i = 1; i <= cfg.n; i++) { /* 2*n*iters */
        for (int j = 1 + (i + colour) % 2; j <= cfg.n; j += 2) { /* n**2*iters */
            double v = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
            change = fmax(change, fabs(v - u[i][j]));
            u[i][j] += cfg.omega * (v - u[i][j]);
        }
    }
    return change;
}

int main(int argc, char **argv) {
    parse(argc, argv);
    u = calloc(cfg.n + 2, sizeof *u);
    if (!u)
        return 1;
    for (int j = 0; j < cfg.n + 2; j++) { /* n + 2 */
        u[0][j] = 1.0;
    }
    double change = 0;
    for (int it = 0; it < cfg.iters; it++) { /* iters */
        change = 0;
        for (int colour = 0; colour < 2; colour++) { /* 2*iters */
            change += sweep(colour);
        }
        if (cfg.verbose)
            printf("%d %g\n", it, change);
    }
    printf("%g %g\n", change, red());
    free(u);
    return 0;
}
