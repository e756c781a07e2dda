/* 6 3: n=6 m=3 | 9 2: n=9 m=2 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    double **row;
} matrix;

enum status { OK, NO_MEMORY, SINGULAR };

static int allocate(matrix *a, int n) {
    a->n = n;
    a->row = calloc(n, sizeof *a->row);
    if (!a->row)
        return -ENOMEM;
    for (int i = 0; i < n; i++) { /* n */
        a->row[i] = calloc(n, sizeof **a->row);
        if (!a->row[i])
            return -ENOMEM;
    }
    return 0;
}

static int setup(matrix *a, int n) {
    int rc = allocate(a, n);
    if (rc)
        return rc;
    for (int i = 0; i < n; i++) { /* n */
        a->row[i][i] = 2 + i;
    }
    return 0;
}

static enum status eliminate(matrix *a) {
    for (int k = 0; k < a->n; k++) { /* n */
        if (a->row[k][k] == 0)
            return SINGULAR;
        for (int i = k + 1; i < a->n; i++) { /* n*(n - 1)/2 */
            double f = a->row[i][k] / a->row[k][k];
            for (int j = k; j < a->n; j++) { /* n*(n**2 - 1)/3 */
                a->row[i][j] -= f * a->row[k][j];
            }
        }
    }
    return OK;
}

static int find(const matrix *a, double d) {
    for (int i = 0; i < a->n; i++) { /* rows */
        if (a->row[i][i] == d)
            return i;
    }
    return -1;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    char *end = NULL;
    errno = 0;
    long n = strtol(argv[1], &end, 10);
    if (errno != 0 || end == argv[1] || *end != '\0' || n <= 0) {
        fprintf(stderr, "%s: not a size: '%s'\n", argv[0], argv[1]);
        return 2;
    }
    int m = atoi(argv[2]), rc = 2;
    matrix a;
    if (setup(&a, n) != 0) {
        fprintf(stderr, "out of memory\n");
        goto done;
    }
    for (int k = 0; k < m; k++) { /* m */
        a.row[0][k] = k + 1;
    }
    switch (eliminate(&a)) {
    case OK:
        break;
    case SINGULAR:
        fprintf(stderr, "singular\n");
        goto done;
    case NO_MEMORY:
        goto done;
    }
    if (find(&a, a.row[1][1]) == -1)
        goto done;
    for (int i = 0; i < n; i++) { /* n */
        printf("%g\n", a.row[i][i]);
    }
    rc = 0;
done:
    return rc;
}
