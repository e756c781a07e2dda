// expected: growth
// -- before
struct item { struct item *next, *parts; const char *name; };
int joined(struct item *all, struct item *to) {
    int n = 0;
    struct item *tail = to;
    for (struct item *x = all; x; x = x->next) {
        tail->next = x->parts;
        tail = x->parts;
        n++;
    }
    return n;
}
// -- after
struct item { struct item *next, *parts; const char *name; };
int joined(struct item *all, struct item *to) {
    int n = 0;
    for (struct item *x = all; x; x = x->next) {
        struct item *tail = to;
        while (tail->next) tail = tail->next;
        tail->next = x->parts;
        n++;
    }
    return n;
}
