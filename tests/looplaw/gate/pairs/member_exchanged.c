// expected: growth or undecided
// -- before
struct item { struct item *next, *up; int id; };
int position(struct item *x, int id) {
    int at = 0;
    while (x && x->id != id) {
        x = x->up;
        at++;
    }
    return at;
}
// -- after
struct item { struct item *next, *up; int id; };
int position(struct item *x, int id) {
    int at = 0;
    while (x && x->id != id) {
        x = x->next;
        at++;
    }
    return at;
}
