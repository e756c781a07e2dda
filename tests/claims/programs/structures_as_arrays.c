/* args: 5 3 | 0 0 | 2 4 | 9 2 | 7 1 : structures as arrays of their members' type */
#include <stdio.h>
#include <stdlib.h>
struct cfg { int a, b, c, d; };
static struct cfg g;
static void put(int *p, int k, int v) { p[k] = v; }
__attribute__((noinline)) static int handed(struct cfg *v, int n) {
    int s = 0;
    v[0].b = 3;
    int *flat = (int *)v;
    for (int i = 0; i < 4 * n; i++) {
        flat[i] = 9;
    }
    for (int i = 0; i < v[0].b; i++) {
        s++;
    }
    return s;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), t = 0;
    struct cfg w = {1, n, n, n};
    int *r = (int *)&w;
    r[m % 4] = 9;
    for (int i = 0; i < w.b + w.c + w.d; i++) {
        t++;
    }
    g.b = g.c = g.d = n;
    r = (int *)&g;
    r[m % 4] = 9;
    for (int i = 0; i < g.b + g.c + g.d; i++) {
        t++;
    }
    struct cfg x = {1, n, n, n};
    put((int *)&x, m % 4, 7);
    for (int i = 0; i < x.b + x.c + x.d; i++) {
        t++;
    }
    struct cfg y = {1, n, n, n};
    put(&y.a, m % 4, 7);
    for (int i = 0; i < y.b + y.c + y.d; i++) {
        t++;
    }
    struct cfg z[3] = {{1, n, n, n}, {1, n, n, n}, {1, n, n, n}};
    put(&z[0].a, 5, 7);
    for (int i = 0; i < z[1].b; i++) {
        t++;
    }
    for (int *p = &z[0].a; p < (int *)(z + 3); p++) {
        *p += 2;
    }
    for (int i = 0; i < z[2].c; i++) {
        t++;
    }
    struct cfg v[10];
    t += handed(v, n);
    printf("%d\n", t);
    return 0;
}
