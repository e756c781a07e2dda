// expected: growth
// -- before
struct item { struct item *prev, *next; int key; };
struct store { struct item *head, *tail; };
void drop(struct store *s, struct item *i);

void filter(struct store *s, int (*fn)(int)) {
    struct item *i, *prev;
    for (i = s->tail; i; i = prev) {
        prev = i->prev;
        if (fn(i->key))
            drop(s, i);
    }
}
// -- after
struct item { struct item *prev, *next; int key; };
struct store { struct item *head, *tail; };
void drop(struct store *s, struct item *i);

void filter(struct store *s, int (*fn)(int)) {
    struct item *i, *prev;
    for (i = s->tail; i; i = prev) {
        prev = i->prev;
        if (fn(i->key)) {
            drop(s, i);
            prev = s->tail;
        }
    }
}
