// expected: growth or undecided
// -- before
struct item { struct item *next; int v, w; };
int before(struct item *p, int v) {
    int s = 0;
    while (p) {
        if (p->v == v)
            break;
        s += p->v;
        p = p->next;
    }
    return s;
}
// -- after
struct item { struct item *next; int v, w; };
int before(struct item *p, int v) {
    int s = 0;
    while (p) {
        if (p->w > 7) {
            if (p->v == v)
                break;
        }
        s += p->v;
        p = p->next;
    }
    return s;
}
