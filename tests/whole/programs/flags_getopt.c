/* -n 6 -m 3: n=6 m=3 | -m 5 -n 2: n=2 m=5 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    int n, m, quiet;
};

static int parse(int argc, char **argv, struct options *o) {
    int c;
    o->n = 8;
    o->m = 2;
    o->quiet = 0;
    while ((c = getopt(argc, argv, "n:m:q")) != -1) { /* data */
        switch (c) {
        case 'n':
            o->n = atoi(optarg);
            break;
        case 'm':
            o->m = atoi(optarg);
            break;
        case 'q':
            o->quiet = 1;
            break;
        default:
            return 0;
        }
    }
    return o->n > 0 && o->m > 0;
}

int main(int argc, char **argv) {
    struct options o;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: %s [-n N] [-m M] [-q]\n", argv[0]);
        return 1;
    }
    int s = 0;
    for (int i = 0; i < o.n; i++) { /* n */
        for (int j = i; j < o.n; j++) { /* n*(n + 1)/2 */
            for (int k = 0; k < o.m; k++) { /* m*n*(n + 1)/2 */
                s += i ^ j ^ k;
            }
        }
    }
    if (!o.quiet) {
        printf("%d\n", s);
    }
    return 0;
}
