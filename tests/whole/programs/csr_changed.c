/* 6 3: n=6 k=3 | 9 2: n=9 k=2 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, *ptr;
} rows;

static rows *make(int n, int k) {
    rows *a = malloc(sizeof *a);
    a->n = n;
    a->ptr = malloc((n + 1) * sizeof *a->ptr);
    a->ptr[0] = 0;
    for (int i = 0; i < n; i++) { /* 4*n */
        a->ptr[i + 1] = a->ptr[i] + k;
    }
    return a;
}

static int *table(int n, int k) {
    int *t = malloc((n + 1) * sizeof *t);
    for (int i = 0; i <= n; i++) { /* 2*n + 2 */
        t[i] = i * k;
    }
    return t;
}

static long walk(const rows *a) {
    long s = 0;
    for (int i = 0; i < a->n; i++) { /* data */
        for (int e = a->ptr[i]; e < a->ptr[i + 1]; e++) { /* data */
            s += e;
        }
    }
    return s;
}

static long span(const int *t, int n) {
    long s = 0;
    for (int e = t[0]; e < t[n]; e++) { /* data */
        s += e;
    }
    return s;
}

static void widen(rows *a) { a->ptr[a->n] += 2; }

int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    int n = atoi(argv[1]), k = atoi(argv[2]);
    rows *a = make(n, k), *b = make(n, k), *c = make(n, k), *d = make(n, k);
    widen(a);
    int *q = b->ptr;
    q[n] = 7;
    c->ptr = d->ptr;
    d->ptr[1] = 1;
    int *t = table(n, k), *u = table(n, k);
    u[n] += 5;
    long s = walk(a) + walk(b) + walk(c) + walk(d) + span(t, n) + span(u, n);
    printf("%ld\n", s);
    return 0;
}
