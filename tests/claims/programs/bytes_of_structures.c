/* args: 5 | 9 | 2 | 1 : structures written as bytes and as arrays, and arrays in structures */
#include <stdio.h>
#include <stdlib.h>
struct inner {
    int a, b;
};
struct outer {
    int n;
    int row[4];
    struct inner in[2];
    int m;
};
static struct outer *kept;
static void wipe(void *p, size_t size) {
    char *c = p;
    for (size_t i = 0; i < size; i++) {
        c[i] = 0;
    }
}
static void copy(char *to, const char *from, size_t size) {
    while (size-- > 0) {
        *to++ = *from++;
    }
}
static void put(int *p, int k, int v) {
    p[k] = v;
}
static void fill(struct outer *o, int k, int v) {
    o->row[k] = v;
    o->in[k & 1].b = v + 1;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, s = 0;
    struct outer o = {n, {n, n, n, n}, {{n, n}, {n, n}}, n};
    fill(&o, n & 3, 2);
    for (int i = 0; i < o.n + o.m + o.in[1].a; i++) {
        s++;
    }
    for (int i = 0; i < o.row[1] + o.in[1].b; i++) {
        s++;
    }
    char *c = (char *)&o;
    for (size_t i = 0; i < sizeof o.n; i++) {
        c[i] = 0;
    }
    for (int i = 0; i < o.n; i++) {
        s++;
    }
    for (int i = 0; i < o.m; i++) {
        s++;
    }
    struct outer *h = malloc(2 * sizeof *h), *g = malloc(sizeof *g);
    h->n = h->m = g->n = g->m = n;
    put((int *)h, n & 1, 3);
    for (int i = 0; i < h->n; i++) {
        s++;
    }
    kept = g;
    wipe(kept, sizeof *kept);
    for (int i = 0; i < g->m; i++) {
        s++;
    }
    copy((char *)kept, (char *)&o, sizeof o);
    for (int i = 0; i < g->m; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
