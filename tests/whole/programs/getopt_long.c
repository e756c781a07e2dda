/* --particles 12 --cells 4: np=12 nc=4 | --particles 20 --cells 3: np=20 nc=3 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    double x, v;
    int cell;
} part;
int main(int argc, char **argv) {
    int np = 1000, nc = 10, verbose = 0, c;
    static struct option opts[] = {{"particles", required_argument, 0, 'p'},
                                   {"cells", required_argument, 0, 'c'},
                                   {"verbose", no_argument, 0, 'v'},
                                   {0, 0, 0, 0}};
    while ((c = getopt_long(argc, argv, "p:c:v", opts, NULL)) != -1) { /* data */
        switch (c) {
        case 'p':
            np = atoi(optarg);
            break;
        case 'c':
            nc = strtol(optarg, NULL, 0);
            break;
        case 'v':
            verbose++;
            break;
        default:
            fprintf(stderr, "usage\n");
            return 1;
        }
    }
    if (np <= 0 || nc <= 0) {
        fprintf(stderr, "sizes must be positive\n");
        return 1;
    }
    part *p = malloc(np * sizeof *p);
    int *hist = calloc(nc, sizeof *hist);
    if (!p || !hist) {
        free(p);
        free(hist);
        return 2;
    }
    for (int i = 0; i < np; i++) { /* np */
        p[i].x = (double)i / np;
        p[i].v = 1;
    }
    for (int s = 0; s < 20; s++) { /* 20 */
        for (int k = 0; k < nc; k++) { /* 20*nc */
            hist[k] = 0;
        }
        for (int i = 0; i < np; i++) { /* 20*np */
            p[i].x += 0.01 * p[i].v;
            if (p[i].x >= 1) {
                p[i].x -= 1;
            }
            p[i].cell = p[i].x * nc;
            hist[p[i].cell]++;
        }
        if (verbose) {
            printf("%d\n", hist[0]);
        }
    }
    printf("%d\n", hist[nc - 1]);
    return 0;
}
