/* args: 4 3 | 8 5 | 3 1 | 6 0 | 5 4 : objects that functions make, hand back again, or change later */
#include <stdio.h>
#include <stdlib.h>
struct box { int n; struct box *next; };
static struct box *last, *pool;
static struct box *plain(int n) {
    struct box *b = malloc(sizeof *b);
    b->n = n;
    b->next = NULL;
    return b;
}
static struct box *noted(int n) { /* changes the one made before */
    struct box *b = malloc(sizeof *b);
    b->n = n;
    if (last) last->n += 1;
    last = b;
    return b;
}
static struct box *pooled(int n) { /* may return an object that is there */
    if (!pool) pool = malloc(sizeof *pool);
    pool->n = n;
    return pool;
}
static struct box *chained(struct box *to, int n) { /* a new one, found again through an old one */
    struct box *b = malloc(sizeof *b);
    b->n = n;
    to->next = b;
    return to;
}
static struct box *grown(struct box *b, int n) {
    struct box *c = realloc(b, 2 * sizeof *b);
    c[1].n = n;
    return c;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    struct box *a = plain(n), *b = plain(m);
    for (int i = 0; i < a->n; i++) {
        s++;
    }
    struct box *c = noted(n), *d = noted(m);
    for (int i = 0; i < c->n; i++) {
        s++;
    }
    for (int i = 0; i < d->n; i++) {
        s++;
    }
    struct box *e = pooled(n), *f = pooled(m);
    for (int i = 0; i < e->n; i++) {
        s += f->n;
    }
    chained(a, n + 2);
    struct box *g = a->next;
    chained(a, m + 2);
    for (int i = 0; i < g->n; i++) {
        s++;
    }
    for (int i = 0; i < a->next->n; i++) {
        s++;
    }
    struct box *made = plain(1), *first = made;
    for (int t = 0; t < m; t++) {
        struct box *now = plain(t);
        for (int i = 0; i < made->n; i++) {
            s++;
        }
        if (t % 2) made = now;
    }
    for (int i = 0; i < first->n; i++) {
        s++;
    }
    b = grown(b, n + 1);
    for (int i = 0; i < b->n; i++) {
        s++;
    }
    for (int i = 0; i < b[1].n; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
