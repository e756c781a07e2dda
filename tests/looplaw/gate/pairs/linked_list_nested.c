// expected: growth or undecided
// -- before
struct l {
    struct l *next;
    int v;
};
int f(struct l *p) {
    int r = 0;
    for (; p; p = p->next) r += p->v;
    return r;
}
// -- after
struct l {
    struct l *next;
    int v;
};
int f(struct l *p) {
    int r = 0;
    for (; p; p = p->next) for (struct l *q = p; q; q = q->next) r += q->v;
    return r;
}
