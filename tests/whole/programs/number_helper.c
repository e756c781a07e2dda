/* 6 4 -v: n=6 m=4 | 3 7: n=3 m=7 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *text, const char *what) {
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (errno || *end || v < 1 || v > 1000000) {
        fprintf(stderr, "%s: not a number: %s\n", what, text);
        exit(2);
    }
    return (int)v;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s N M [-v]\n", argv[0]);
        return 2;
    }
    int n = number(argv[1], "N"), m = number(argv[2], "M");
    int verbose = argc > 3 && strcmp(argv[3], "-v") == 0;
    double *a = calloc((size_t)n * m, sizeof *a);
    if (!a) {
        perror("calloc");
        return 1;
    }
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < m; j++) { /* n*m */
            a[i * m + j] = i - j;
        }
    }
    double s = 0;
    for (int k = 0; k < n * m; k++) { /* n*m */
        s += a[k];
    }
    if (verbose) {
        printf("%g\n", s);
    }
    free(a);
    return 0;
}
