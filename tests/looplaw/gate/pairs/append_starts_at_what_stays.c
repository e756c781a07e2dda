// expected: growth
// -- before
struct item { struct item *next; int id; };
extern struct item *take(void *from);
static void append(struct item *to, struct item *new) {
    while (to->next) to = to->next;
    to->next = new;
}
static int one(void *from, struct item **first, struct item **last) {
    struct item *new = take(from);
    if (!new) return 0;
    if (!*first) {
        *first = new;
        *last = new;
    } else {
        append(*last, new);
        *last = new;
    }
    return 1;
}
struct item *all(void *from) {
    struct item *first = 0, *last = 0;
    while (one(from, &first, &last)) {}
    return first;
}
// -- after
struct item { struct item *next; int id; };
extern struct item *take(void *from);
static void append(struct item *to, struct item *new) {
    while (to->next) to = to->next;
    to->next = new;
}
static int one(void *from, struct item **first, struct item **last) {
    struct item *new = take(from);
    if (!new) return 0;
    if (!*first) {
        *first = new;
        *last = new;
    } else {
        append(*first, new);
    }
    while (new->next) new = new->next;
    *last = new;
    return 1;
}
struct item *all(void *from) {
    struct item *first = 0, *last = 0;
    while (one(from, &first, &last)) {}
    return first;
}
