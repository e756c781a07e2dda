// expected: nothing
// -- before
typedef struct item { struct item *next, *child; int type; } item;
extern item *copy(item *);
item *merge(item *from, item *to) {
    if (!to || !from || (from->type & 255) != 64 || (to->type & 255) != 64) return copy(to);
    for (item *a = from->child; a; a = a->next) a->type = to->type;
    return from;
}
// -- after
typedef struct item { struct item *next, *child; int type; } item;
extern item *copy(item *);
extern int is_object(const item *);
item *merge(item *from, item *to) {
    if (!is_object(to) || !is_object(from)) return copy(to);
    for (item *a = from->child; a; a = a->next) a->type = to->type;
    return from;
}
