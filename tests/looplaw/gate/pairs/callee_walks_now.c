// expected: growth
// -- before
struct list { int count; struct list *next; };
int size(struct list *l) { return l->count; }
int sum(struct list *l, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += size(l);
    return s;
}
// -- after
struct list { int count; struct list *next; };
int size(struct list *l) {
    int n = 0;
    for (; l; l = l->next) n++;
    return n;
}
int sum(struct list *l, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += size(l);
    return s;
}
