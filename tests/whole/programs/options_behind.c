/* 5: n=5 steps=10 options=0 | 9 -v: n=9 steps=10 options=1 | 6 --steps=7: n=6 steps=7 options=1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s n [--steps=k] [-v]\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), steps = 10, verbose = 0;
    for (int k = 2; k < argc; k++) { /* options */
        if (strncmp(argv[k], "--steps=", 8) == 0) {
            steps = atoi(argv[k] + 8);
        } else if (!strcmp(argv[k], "-v")) {
            verbose = 1;
        }
    }
    double *a = calloc(n, sizeof *a);
    for (int t = 0; t < steps; t++) { /* steps */
        for (int i = 0; i < n; i++) { /* n*steps */
            a[i] += t;
        }
    }
    for (int i = 0; i < n; i++) { /* n */
        a[0] += a[i] * verbose;
    }
    printf("%g\n", a[0]);
    return 0;
}
