/* rows 4: n=4 | cols 6: n=6 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double by_rows(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { /* n*f */
        for (int j = 0; j < n; j++) { /* n**2*f */
            s += a[i * n + j];
        }
    }
    return s;
}

static double by_columns(const double *a, int n) {
    double s = 0;
    for (int j = 0; j < n; j++) { /* n*f */
        for (int i = 0; i < n; i++) { /* n**2*f */
            s += a[i * n + j];
        }
    }
    return s;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s rows|cols n\n", argv[0]);
        return 1;
    }
    const char *mode = argv[1];
    int n = atoi(argv[2]);
    double *a = malloc((size_t)n * n * sizeof *a);
    if (!a) {
        perror("malloc");
        return 1;
    }
    for (int i = 0; i < n * n; i++) { /* n**2 */
        a[i] = i;
    }
    double s;
    if (strcmp(mode, "rows") == 0)
        s = by_rows(a, n);
    else if (strcmp(mode, "cols") == 0)
        s = by_columns(a, n);
    else {
        fprintf(stderr, "unknown mode %s\n", mode);
        free(a);
        return 1;
    }
    printf("%g\n", s);
    free(a);
    return 0;
}
