// vary: n=-3:20 m=-3:20; exact: 6 of 6
#include <stdlib.h>

struct box { int n, other; };
struct holder { struct box *box; };

static volatile long s;

static void run(int x) {
    for (int i = 0; i < x; i++) {
        s++;
    }
}

static int more(int x) { return x + 1; }

static void earlier(struct box *p) {
    int x = p->n;
    p->n = 5;
    run(x);
}

static void answered(struct box *p) {
    int x = p->other;
    p->other = 7;
    int y = more(x);
    for (int i = 0; i < y; i++) {
        s++;
    }
}

static void both(struct box *p, int x) {
    for (int i = 0; i < x; i++) {
        s++;
    }
    for (int i = 0; i < p->n; i++) {
        s++;
    }
}

static void between(struct box *p) {
    int x = p->n;
    p->n += 2;
    both(p, x);
}

static void inside(struct box *p) {
    for (int i = 0; i < p->n; i++) {
        s++;
    }
}

static void exchanged(struct holder *h, struct box *other) {
    struct box *p = h->box;
    h->box = other;
    inside(p);
}

static void twice(struct box *p, int step) {
    int x = p->n;
    p->n = step;
    for (int i = 0; i < x; i++) {
        s++;
    }
    run(more(x));
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct box a = {n, m}, b = {m, n};
    earlier(&a);
    earlier(&b);
    answered(&a);
    answered(&b);
    struct box c = {n, m}, d = {m, n};
    between(&c);
    between(&d);
    struct box e = {n, 1}, f = {m, 2};
    struct holder h = {&e};
    exchanged(&h, &f);
    exchanged(&h, &e);
    struct box g = {n, 0};
    twice(&g, m);
    twice(&g, 3);
    return 0;
}
