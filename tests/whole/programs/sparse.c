/* 5 3: n=5 k=3 | 8 2: n=8 k=2 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    int *rowptr, *col;
    double *val;
} csr;

static csr build(int n, int k) {
    csr a;
    a.n = n;
    a.rowptr = malloc((n + 1) * sizeof(int));
    a.col = malloc(n * k * sizeof(int));
    a.val = malloc(n * k * sizeof(double));
    a.rowptr[0] = 0;
    for (int i = 0; i < n; i++) { /* n */
        a.rowptr[i + 1] = a.rowptr[i] + k;
        for (int j = 0; j < k; j++) { /* n*k */
            a.col[i * k + j] = (i + j) % n;
            a.val[i * k + j] = 1;
        }
    }
    return a;
}

static void multiply(const csr *a, const double *x, double *y) {
    for (int i = 0; i < a->n; i++) { /* n */
        double s = 0;
        for (int e = a->rowptr[i]; e < a->rowptr[i + 1]; e++) { /* n*k */
            s += a->val[e] * x[a->col[e]];
        }
        y[i] = s;
    }
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    int n = atoi(argv[1]), k = atoi(argv[2]);
    csr a = build(n, k);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    if (!x || !y)
        return 1;
    for (int i = 0; i < n; i++) { /* n */
        x[i] = i;
    }
    multiply(&a, x, y);
    printf("%g\n", y[n - 1]);
    return 0;
}
