/* args: 4 3 | 8 5 | 3 1 | 6 0 | 5 4 | 2 9 : levels in time that change places, not always and not all alike */
#include <stdio.h>
#include <stdlib.h>
struct level { int n; double *at; };
static struct level *make(int n) {
    struct level *l = malloc(sizeof *l);
    l->n = n;
    l->at = calloc(n + 9, sizeof *l->at);
    return l;
}
static void exchange(struct level *a, struct level *b) {
    struct level x = *a;
    *a = *b;
    *b = x;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct level a = {n, 0}, b = {n, 0}, c = {n + 1, 0}, d = {n + 2, 0};
    long s = 0;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < a.n; i++) {
            s++;
        }
        exchange(&a, &b);
    }
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < b.n; i++) {
            s++;
        }
        exchange(&b, &c);
        exchange(&c, &d);
    }
    for (int i = 0; i < d.n; i++) {
        s++;
    }
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < a.n; i++) {
            s++;
        }
        if (t % 3 == 1) exchange(&a, &d);
    }
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < c.n; i++) {
            s++;
        }
        exchange(&c, &d);
        d.n++;
    }
    struct level *p = make(n), *q = make(n), *r = make(n + 3);
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < p->n; i++) {
            s++;
        }
        struct level *x = p;
        p = q;
        q = x;
    }
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < p->n; i++) {
            s++;
        }
        q->n += 1;
        struct level *x = p;
        p = q;
        q = t > 1 ? r : x;
    }
    for (int i = 0; i < q->n; i++) {
        s++;
    }
    int x = n, y = m, z = 7;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < x; i++) {
            s++;
        }
        int o = x;
        x = y;
        y = z;
        z = o;
    }
    for (int i = 0; i < z; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
