// expected: nothing
// -- before
#include <stdlib.h>
struct node { struct node *next, *child; const char *s; };
static void add(struct node *to, struct node *x) {
    struct node *c = to->child;
    if (!c) { to->child = x; return; }
    while (c->next) c = c->next;
    c->next = x;
}
static struct node *made(const char *s) {
    struct node *x = calloc(1, sizeof *x);
    if (x) x->s = s;
    return x;
}
static void walk(struct node *out, struct node *a) {
    for (a = a->child; a; a = a->next) walk(out, a);
    add(out, made("end"));
}
struct node *listed(struct node *a) { struct node *out = made("root"); walk(out, a); return out; }
// -- after
#include <stdlib.h>
struct node { struct node *next, *child; const char *s; };
static void add(struct node *to, struct node *x) {
    struct node *c = to->child;
    if (!c) { to->child = x; return; }
    while (c->next) c = c->next;
    c->next = x;
}
static struct node *made(const char *s) {
    struct node *x = calloc(1, sizeof *x);
    if (x) x->s = s;
    return x;
}
static void walk(struct node *out, struct node *a) {
    for (a = a->child; a; a = a->next) walk(out, a);
    add(out, made("end"));
    add(out, made("really"));
}
struct node *listed(struct node *a) { struct node *out = made("root"); walk(out, a); return out; }
