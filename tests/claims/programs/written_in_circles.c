/* args: 4 3 | 8 2 | 1 5 | 6 7 : what functions that call themselves, or each other, write through their arguments */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, k;
} box;

static box *kept, *left;
static int depth;

static void first(box *p);

static void second(void) {
    box own = {1, 1};
    first(&own);
}

static void first(box *p) {
    p->k = 3;
    if (depth++ < 3)
        second();
}

static void inner(box *p, int d) {
    if (d > 0) {
        box own = {d, d};
        inner(&own, d - 1);
        p->n = own.n + 1;
    }
}

static void crossed(box *p, box *q, int d) {
    if (d == 0) {
        q->n = 5;
        return;
    }
    crossed(q, p, d - 1);
}

static void keeps(box *p, int d) {
    if (d == 0)
        kept = p;
    else
        keeps(p, d - 1);
}

static void odd(box *p, int d);

static void even(box *p, int d) {
    if (d > 0)
        odd(p, d - 1);
}

static void odd(box *p, int d) {
    if (d == 0)
        left = p;
    even(p, d - 1);
}

static box *handed_back(box *p, int d) {
    return d <= 0 ? p : handed_back(p, d - 1);
}

static int visits(const box *p, int d) {
    return d >= p->n ? 1 : visits(p, d + 1) + 1;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), sum = argc;
    box a = {n, n}, b = {n, n}, c = {n, n}, d = {n, n}, e = {n, n}, f = {n, n}, g = {n, n}, h = {n, n};
    first(&a);
    for (int i = 0; i < a.k; i++) {
        sum += i;
    }
    inner(&b, m);
    for (int i = 0; i < b.n; i++) {
        sum += i;
    }
    crossed(&c, &d, m);
    for (int i = 0; i < c.n; i++) {
        sum += i;
    }
    for (int i = 0; i < d.n; i++) {
        sum += i;
    }
    keeps(&e, m);
    kept->n = 6;
    for (int i = 0; i < e.n; i++) {
        sum += i;
    }
    even(&f, 2 * m + 1);
    if (left)
        left->n = 7;
    for (int i = 0; i < f.n; i++) {
        sum += i;
    }
    handed_back(&g, m)->n = 8;
    for (int i = 0; i < g.n; i++) {
        sum += i;
    }
    sum += visits(&h, 0);
    for (int i = 0; i < h.n; i++) {
        sum += i;
    }
    printf("%d\n", sum);
    return 0;
}
