// expected: growth
// -- before
struct item { struct item *next, *twin; int id; };
struct list { struct item *first; struct list *next; };
extern void report(struct item *);
void check(struct list *lists) {
    for (struct list *l = lists; l; l = l->next) {
        for (struct item *i = l->first; i; i = i->next)
            for (struct item *t = i; t; t = t->twin)
                if (t->id == 3) report(t);
        for (struct item *i = l->first; i; i = i->next)
            for (int k = 0; k < i->id; k++) report(i);
    }
}
// -- after
struct item { struct item *next, *twin; int id; };
struct list { struct item *first; struct list *next; };
extern void report(struct item *);
void check(struct list *lists) {
    for (struct list *l = lists; l; l = l->next) {
        for (struct item *i = l->first; i; i = i->next)
            for (struct item *o = l->first; o && o != i; o = o->next)
                if (o->id == i->id) report(o);
        for (struct item *i = l->first; i; i = i->next)
            for (int k = 0; k < i->id; k++) report(i);
    }
}
