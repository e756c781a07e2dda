/* args: 4 3 | 8 2 | 5 5 : a pointer in memory leads to what is handed */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state { int n, m; int *inside; float *data; };
struct node { int n; struct node *other; };
static int *watched;
static struct state fixed;
static int *const at_fixed[] = {&fixed.n};
static long s;

static void keep(struct state *t) { t->inside = &t->n; }
static void watch(struct state *t) { watched = &t->n; }
static void through_inside(struct state *t) { *t->inside = t->m; }
static void through_watched(struct state *t) { *watched = t->m; }
static void through_second(struct state *t, int **p) { **p = t->m; }
static void through_bytes(struct state *t, char *bytes) {
    int *p;
    memcpy(&p, bytes, sizeof p);
    *p = t->m;
}
static void through_list(struct state *t, int count, ...) {
    va_list list;
    va_start(list, count);
    for (int k = 0; k < count; k++) *va_arg(list, int *) = t->m;
    va_end(list);
}
static void through_node(struct node *a, int m) { a->other->n = m; }
static void through_table(struct state *t) { *at_fixed[0] = t->m; }
static void through_number(struct state *t, uintptr_t *u) { *(int *)*u = t->m; }
static void cleared(struct state *t, void **p) { memset(*p, 0, sizeof(int)); s += t->m; }

static void walk(struct state *t, int steps, void (*step)(struct state *)) {
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < t->n; i++) s += i;
        step(t);
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct state a = {n, m, 0, 0}, b = {n, m, 0, 0}, c = {n, m, 0, 0}, d = {n, m, 0, 0};
    struct state e = {n, m, 0, 0}, f = {n, m, 0, 0}, g = {n, m, 0, 0};
    struct node first = {n, 0}, second = {n, &first};
    int *pointer = &c.n;
    char bytes[sizeof pointer];
    uintptr_t number = (uintptr_t)&f.n;
    void *anywhere = &g.n;
    int *own = &d.n;
    memcpy(bytes, &own, sizeof own);
    fixed.n = n, fixed.m = m;
    keep(&a);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < a.n; i++) s += i;
        through_inside(&a);
    }
    watch(&b);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < b.n; i++) s += i;
        through_watched(&b);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < c.n; i++) s += i;
        through_second(&c, &pointer);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < d.n; i++) s += i;
        through_bytes(&d, bytes);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < e.n; i++) s += i;
        through_list(&e, 1, &e.n);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < first.n; i++) s += i;
        through_node(&second, m);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < f.n; i++) s += i;
        through_number(&f, &number);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < g.n; i++) s += i;
        cleared(&g, &anywhere);
    }
    walk(&fixed, 3, through_table);
    printf("%ld\n", s);
    return 0;
}
