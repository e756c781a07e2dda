/* args: 5 | 9 | 2 : structures that are assigned, returned and handed over by value */
#include <stdio.h>
#include <stdlib.h>
struct pair {
    int n, m;
};
struct two {
    struct pair a, b;
};
struct opts {
    int n, m;
    double h;
    int k;
};
struct args {
    int n;
    int dims[5];
};
static struct opts *kept;
static struct pair *glob;
static struct two *both;
static struct pair make(int n) {
    struct pair p = {n, n + 1};
    return p;
}
static void put(struct pair **o, int i, int n) {
    (*o)[i] = make(n);
}
static void reset(struct pair **o, int i, int n) {
    struct pair fresh = {n, n + 1};
    (*o)[i] = fresh;
}
static void exchange(struct pair *a, struct pair *b) {
    struct pair t = *a;
    *a = *b;
    *b = t;
}
static void inner(struct two **t, int n) {
    struct pair fresh = {n, n + 1};
    (*t)->b = fresh;
}
static void reset_opts(struct opts **o, int n) {
    struct opts fresh = {n, n + 1, 0.5, n + 2};
    **o = fresh;
}
static int by_value(struct args o, int k) {
    o.dims[0] = k;
    o.n += 100;
    for (int i = 0; i < o.n; i++) {
        k++;
    }
    return k;
}
static struct args twice(struct args o) {
    o.n *= 2;
    return o;
}
static int unchanged(struct args o, struct args *of) {
    int s = 0;
    of->n = 2;
    for (int i = 0; i < o.n; i++) {
        s++;
    }
    return s;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, s = 0;
    struct pair *o = malloc(16 * sizeof *o);
    struct two *t = malloc(sizeof *t);
    glob = o;
    both = t;
    o->m = n;
    put(&glob, 0, 4);
    for (int i = 0; i < o->m; i++) {
        s++;
    }
    o[3].m = n;
    o[3].n = n;
    put(&glob, 3, 2);
    for (int i = 0; i < o[3].m; i++) {
        s++;
    }
    for (int i = 0; i < o[3].n; i++) {
        s++;
    }
    o[n].m = n;
    o[n].n = n;
    reset(&glob, n, 2);
    for (int i = 0; i < o[n].m; i++) {
        s++;
    }
    for (int i = 0; i < o[n].n; i++) {
        s++;
    }
    o[1].m = n + 1;
    o[2].m = n - 2;
    exchange(o + 1, o + 2);
    for (int i = 0; i < o[1].m; i++) {
        s++;
    }
    t->b.n = n;
    t->b.m = n;
    inner(&both, 7);
    for (int i = 0; i < t->b.n; i++) {
        s++;
    }
    for (int i = 0; i < t->b.m; i++) {
        s++;
    }
    struct opts *x = malloc(sizeof *x);
    x->m = x->k = n;
    kept = x;
    reset_opts(&kept, 4);
    for (int i = 0; i < x->m; i++) {
        s++;
    }
    for (int i = 0; i < x->k; i++) {
        s++;
    }
    struct args y;
    y.n = y.dims[0] = n;
    s += by_value(y, 7);
    for (int i = 0; i < y.dims[0]; i++) {
        s++;
    }
    struct args z = twice(y);
    for (int i = 0; i < z.n; i++) {
        s++;
    }
    for (int i = 0; i < y.n; i++) {
        s++;
    }
    s += unchanged(y, &y);
    for (int i = 0; i < y.n; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
