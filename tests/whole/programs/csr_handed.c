/* 6 3 2: n=6 k=3 r=2 | 9 2 4: n=9 k=2 r=4 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int rows, nnz;
    int *ptr, *col;
    double *val;
} csr;

static int csr_init(csr *a, int rows, int per_row) {
    memset(a, 0, sizeof *a);
    a->rows = rows;
    a->nnz = rows * per_row;
    a->ptr = malloc((rows + 1) * sizeof *a->ptr);
    a->col = malloc(a->nnz * sizeof *a->col);
    a->val = malloc(a->nnz * sizeof *a->val);
    if (!a->ptr || !a->col || !a->val)
        return -ENOMEM;
    int p = 0;
    for (int i = 0; i < rows; i++) { /* n */
        a->ptr[i] = p;
        for (int j = 0; j < per_row; j++) { /* n*k */
            a->col[p] = (i + 7 * j) % rows;
            a->val[p++] = 1.0 / (1 + j);
        }
    }
    a->ptr[rows] = p;
    return 0;
}

static void multiply(const csr *a, const double *x, double *y) {
    for (int i = 0; i < a->rows; i++) { /* n*r */
        double s = 0;
        for (int p = a->ptr[i]; p < a->ptr[i + 1]; ++p) { /* n*k*r */
            s += a->val[p] * x[a->col[p]];
        }
        y[i] = s;
    }
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]), k = atoi(argv[2]), r = atoi(argv[3]);
    csr a;
    if (csr_init(&a, n, k) < 0)
        return 1;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    int *mark = calloc(n, sizeof *mark);
    if (!x || !y || !mark)
        return 1;
    for (int i = 0; i < n; i++) { /* n */
        x[i] = i;
        mark[i] = 2 * i;
    }
    for (int it = 0; it < r; it++) { /* r */
        multiply(&a, x, y);
        double *t = x;
        x = y;
        y = t;
    }
    printf("%g %d\n", x[0], mark[n - 1]);
    return 0;
}
