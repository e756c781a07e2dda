/* -n 8 -m 3: n=8 m=3 | -m 5 -n 4: n=4 m=5 | -n 6 -v: n=6 m=10 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int n = 100, m = 10, verbose = 0;
    for (int i = 1; i < argc; i++) { /* data */
        if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
            n = atoi(argv[++i]);
        else if (strcmp(argv[i], "-m") == 0 && i + 1 < argc)
            m = atoi(argv[++i]);
        else if (strcmp(argv[i], "-v") == 0)
            verbose = 1;
        else {
            fprintf(stderr, "usage: %s [-n N] [-m M] [-v]\n", argv[0]);
            return 1;
        }
    }
    double *a = malloc(sizeof(double) * n * m);
    if (a == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < m; j++) { /* n*m */
            a[i * m + j] = i + j;
        }
    }
    double sum = 0;
    for (int k = 0; k < n * m; k++) { /* n*m */
        sum += a[k];
    }
    if (verbose)
        printf("n = %d, m = %d\n", n, m);
    printf("%g\n", sum);
    free(a);
    return 0;
}
