#include <stdio.h>
#include <stdlib.h>
typedef struct { int n; int *ptr, *idx; double *val; } csr;
static void spmv(const csr *a, const double *x, double *y) {
    for (int i = 0; i < a->n; i++) {
        y[i] = 0;
        for (int j = a->ptr[i]; j < a->ptr[i + 1]; j++) y[i] += a->val[j] * x[a->idx[j]];
    }
}
static void gauss_seidel(const csr *a, double *x, const double *b) {
    for (int i = 0; i < a->n; i++) {
        double s = b[i], d = 1;
        int end = a->ptr[i + 1];
        for (int j = a->ptr[i]; j < end; j++) {
            int c = a->idx[j];
            if (c == i) { d = a->val[j]; continue; }
            s -= a->val[j] * x[c];
        }
        x[i] = s / d;
    }
}
static long bfs(const csr *a, int *level, int *queue, int s) {
    for (int i = 0; i < a->n; i++) level[i] = -1;
    int head = 0, tail = 0;
    long edges = 0;
    level[s] = 0; queue[tail++] = s;
    while (head < tail) {
        int u = queue[head++];
        for (int j = a->ptr[u]; j < a->ptr[u + 1]; j++) {
            int v = a->idx[j];
            edges++;
            if (level[v] < 0) { level[v] = level[u] + 1; queue[tail++] = v; }
        }
    }
    return edges;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    csr a = {n, malloc((n + 1) * sizeof(int)), malloc(8L * n * sizeof(int)), malloc(8L * n * sizeof(double))};
    unsigned st = 3; int k = 0;
    for (int i = 0; i < n; i++) {
        a.ptr[i] = k;
        st = st * 1664525u + 1013904223u;
        int c = (st >> 24) % 8;
        for (int j = 0; j < c; j++) {
            st = st * 1664525u + 1013904223u;
            a.idx[k] = (st >> 4) % n; a.val[k++] = 1.0 / (8 + j);
        }
    }
    a.ptr[n] = k;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    int *l = malloc(n * sizeof *l), *q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++) x[i] = y[i] = 1;
    long e = 0;
    for (int r = 0; r < rounds; r++) { spmv(&a, x, y); gauss_seidel(&a, x, y); e += bfs(&a, l, q, r % n); }
    printf("%g %ld\n", x[n / 2], e);
    return 0;
}
