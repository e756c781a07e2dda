// vary: n=-3:20 m=-3:20; exact: 12 of 12
#include <stdio.h>
#include <stdlib.h>

typedef struct { int rows, cols; } dims;
typedef struct { int lo, hi, step; } range;
typedef struct { short a, b; int c; } mixed;
typedef struct { long n, m; } wide;
typedef struct { int n; float w; } weighted;
struct holder { dims inner; };

static volatile long s;

static void area(dims d) {
    for (int i = 0; i < d.rows; i++) {
        for (int j = 0; j < d.cols; j++) {
            s++;
        }
    }
}

static void deeper(dims d) {
    for (int i = d.rows; i < d.cols; i++) {
        s++;
    }
}

static void pass_on(dims d) {
    dims turned = {d.cols, d.rows};
    deeper(turned);
}

static void walk(range r) {
    for (int i = r.lo; i < r.hi; i += r.step) {
        s++;
    }
}

static void three(mixed x) {
    for (int i = x.a; i < x.b + x.c; i++) {
        s++;
    }
}

static void two(wide b) {
    for (long i = 0; i < b.n + b.m; i++) {
        s++;
    }
}

static float half(weighted w) {
    float sum = 0;
    for (int i = 0; i < w.n; i++) {
        sum += w.w;
    }
    return sum;
}

static dims made(int n, int m) {
    dims d = {n + 1, m - 1};
    return d;
}

static void from_call(dims d) {
    for (int i = d.rows; i < d.cols; i++) {
        s++;
    }
}

static void from_memory(dims d) {
    for (int i = 0; i < d.cols; i++) {
        s++;
    }
}

static void at_last(dims d) {
    for (int i = d.rows; i < d.cols; i++) {
        s++;
    }
}

static void untouched(dims d) { at_last(d); }

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int k = 0; k < m; k++) { /* other halves in each iteration */
        dims d = {n, k};
        area(d);
    }
    for (int k = 0; k < n; k++) { /* handed on as it is */
        dims d = {k, m};
        untouched(d);
    }
    dims d = {n, m};
    pass_on(d);
    range r = {n, m, 2};
    walk(r);
    mixed x = {(short)n, (short)(n + m), 3};
    three(x);
    wide b = {n, m};
    two(b);
    weighted w = {m, 0.5f};
    s += (long)half(w);
    from_call(made(n, m));
    struct holder *h = malloc(sizeof *h);
    h->inner.rows = n;
    h->inner.cols = m;
    from_memory(h->inner);
    printf("%ld\n", (long)s);
    return 0;
}
