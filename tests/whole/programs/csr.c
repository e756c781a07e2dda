/* 6: n=6 | 9: n=9 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int n;
    int *ptr;
    int *idx;
    double *val;
} csr;
static csr *band(int n, int width) {
    csr *m = malloc(sizeof *m);
    if (!m) {
        return NULL;
    }
    m->n = n;
    m->ptr = malloc((n + 1) * sizeof(int));
    m->idx = malloc((size_t)n * width * sizeof(int));
    m->val = malloc((size_t)n * width * sizeof(double));
    m->ptr[0] = 0;
    for (int i = 0; i < n; i++) { /* n */
        m->ptr[i + 1] = m->ptr[i] + width;
    }
    for (int i = 0; i < n; i++) { /* n */
        for (int k = m->ptr[i]; k < m->ptr[i + 1]; k++) { /* 5*n */
            m->idx[k] = (i + k) % n;
            m->val[k] = 1.0 / (1 + k);
        }
    }
    return m;
}
static void mult(const csr *m, const double *x, double *y) {
    for (int i = 0; i < m->n; i++) { /* 10*n */
        double s = 0;
        for (int k = m->ptr[i]; k < m->ptr[i + 1]; k++) { /* 50*n */
            s += m->val[k] * x[m->idx[k]];
        }
        y[i] = s;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    csr *m = band(n, 5);
    if (!m) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    for (int it = 0; it < 10; it++) { /* 5 */
        mult(m, x, y);
        mult(m, y, x);
        it++;
    }
    printf("%g\n", x[0]);
    return 0;
}
