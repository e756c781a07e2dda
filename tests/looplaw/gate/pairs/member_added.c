// expected: nothing
// -- before
struct item { int id; struct { int kind; struct item *next; } link; };
static struct item head;
int position(struct item *x, int id) {
    int at = 0;
    while (x && x->id != id) {
        x = x->link.next;
        at++;
    }
    return at;
}
int first(void) {
    int at = 0;
    while (head.link.kind > at)
        at++;
    return at;
}
// -- after
struct item { long stamp; int id; struct { int kind, flags; struct item *next; } link; };
static struct item head;
int position(struct item *x, int id) {
    int at = 0;
    while (x && x->id != id) {
        x = x->link.next;
        at++;
    }
    return at;
}
int first(void) {
    int at = 0;
    while (head.link.kind > at)
        at++;
    return at;
}
int flagged(struct item *x) { return x->link.flags; }
