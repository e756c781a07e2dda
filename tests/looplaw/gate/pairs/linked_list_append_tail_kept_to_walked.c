// expected: growth or undecided
// -- before
#include <stdlib.h>
struct l {
    struct l *next;
    int v;
};
struct l *f(int n) {
    struct l *h = 0, **t = &h;
    for (int i = 0; i < n; i++) {
        struct l *e = malloc(sizeof*e);
        e->v = i;
        e->next = 0;
        *t = e;
        t = &e->next;
    }
    return h;
}
// -- after
#include <stdlib.h>
struct l {
    struct l *next;
    int v;
};
struct l *f(int n) {
    struct l *h = 0;
    for (int i = 0; i < n; i++) {
        struct l *e = malloc(sizeof*e);
        e->v = i;
        e->next = 0;
        struct l **t = &h;
        while (*t) t = &(*t)->next;
        *t = e;
    }
    return h;
}
