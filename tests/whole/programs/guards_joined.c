/* 6 4: n=6 m=4 | 3 9: n=3 m=9 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s n m\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    if (n < 1 || m < 1 || n > 100000 || m > 100000) {
        fprintf(stderr, "bad size\n");
        return 1;
    }
    double *a = malloc(n * sizeof(double));
    double *b = malloc(m * sizeof(double));
    double *c = calloc((size_t)n * m, sizeof(double));
    if (a == NULL || b == NULL || c == NULL) {
        perror("malloc");
        free(a);
        free(b);
        free(c);
        return 1;
    }
    for (int i = 0; i < n; i++) { /* n */
        a[i] = i;
    }
    for (int j = 0; j < m; j++) { /* m */
        b[j] = j;
    }
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < m; j++) { /* n*m */
            c[i * m + j] = a[i] * b[j];
        }
    }
    printf("%g\n", c[n * m - 1]);
    free(a);
    free(b);
    free(c);
    return 0;
}
