/* args: 6 3 | 9 2 | 12 5 : memory that a function makes, written in many ways */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile long s;
static int *made(int n) {
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) { a[i] = i; }
    return a;
}
static void again(int *a, int k) { if (k > 1) { a[k] = 7; again(a, k - 2); } }
static void even(int *a, int k);
static void odd(int *a, int k) { if (k > 0) { a[k] = 9; even(a, k - 1); } }
static void even(int *a, int k) { if (k > 0) { a[k] = 2; odd(a, k - 1); } }
static int down(const void *x, const void *y) { return *(const int *)y - *(const int *)x; }
static int spoil(const void *x, const void *y) { *(int *)x = 3; return *(const int *)x - *(const int *)y; }
static void set(int *a, int v) { a[1] = v; }
static void clear(int *a, int v) { a[2] = v; }
static void each(int *a, int n, void (*f)(int *, int)) { for (int i = 0; i < n; i++) { f(a, i); } }
static int *same(int *a) { return a; }
static int *behind(int *a) { return a + 1; }
static void walk(const int *a, int n) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < a[i]; k++) { s++; }
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int *b = made(n);
    again(b, n - 1);
    for (int i = 0; i < n; i++) { for (int k = 0; k < b[i]; k++) { s++; } }
    int *c = made(n);
    odd(c, n - 1);
    for (int i = 0; i < n; i++) { for (int k = 0; k < c[i]; k++) { s++; } }
    int *d = made(n);
    qsort(d, n, sizeof(int), spoil);
    for (int i = 0; i < n; i++) { for (int k = 0; k < d[i]; k++) { s++; } }
    int *e = made(n);
    each(e, m, m > 2 ? set : clear);
    for (int i = 0; i < n; i++) { for (int k = 0; k < e[i]; k++) { s++; } }
    int *f = made(n), *g = made(n);
    int *h = m > 2 ? f : g;
    h[3] = 11;
    for (int i = 0; i < n; i++) { for (int k = 0; k < f[i]; k++) { s++; } }
    for (int i = 0; i < n; i++) { for (int k = 0; k < g[i]; k++) { s++; } }
    int *o = made(n);
    same(o)[2] = 8;
    behind(o)[3] = 0;
    for (int i = 0; i < n; i++) { for (int k = 0; k < o[i]; k++) { s++; } }
    int *p = made(n);
    memset(p + 1, 0, 2 * sizeof(int));
    for (int i = 0; i < n; i++) { for (int k = 0; k < p[i]; k++) { s++; } }
    int *q = made(n);
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) { for (int k = 0; k < q[i]; k++) { s++; } }
        q[t] = n;
    }
    int *r = made(n), *u = made(n);
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) { for (int k = 0; k < r[i]; k++) { s++; } }
        u[t] = 0;
        int *swap = r;
        r = u;
        u = swap;
    }
    int *v = made(n);
    for (int i = 0; i < m; i++) { sscanf(argv[1], "%d", v + i); }
    walk(v, n);
    int *w = made(n);
    int **held = &w;
    (*held)[1] = 5;
    walk(w, n);
    printf("%ld\n", (long)s);
    return 0;
}
