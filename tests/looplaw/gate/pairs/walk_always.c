// expected: growth
// -- before
struct item { struct item *next; int v; };
struct list { struct item *first, *last; };
void push(struct list *l, struct item *x) {
    struct item *p = l->first;
    if (l->last) {
        p = l->last;
    } else {
        while (p->next)
            p = p->next;
    }
    p->next = x;
    l->last = x;
}
// -- after
struct item { struct item *next; int v; };
struct list { struct item *first, *last; };
void push(struct list *l, struct item *x) {
    struct item *p = l->first;
    while (p->next)
        p = p->next;
    p->next = x;
    l->last = x;
}
