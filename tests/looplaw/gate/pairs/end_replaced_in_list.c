// expected: nothing
// -- before
struct item { struct item *next; int id, kind; };
int place(struct item *x, int id) {
    int at = 0;
    while (x && x->id != id) {
        x = x->next;
        at++;
    }
    return at;
}
// -- after
struct item { struct item *next; int id, kind; };
int place(struct item *x, int id) {
    int at = 0;
    while (x && (x->kind == 0 || x->id != id)) {
        x = x->next;
        at++;
    }
    return at;
}
