// expected: undecided
// -- before
struct source { int (*get)(struct source *), (*other)(struct source *); int v; };
int total(struct source *from, const int *a, int n) {
    int s = 0, each = from->get(from);
    for (int i = 0; i < n; i++)
        s += a[i] * each;
    return s;
}
// -- after
struct source { int (*get)(struct source *), (*other)(struct source *); int v; };
int total(struct source *from, const int *a, int n) {
    int s = 0, each = from->get(from);
    for (int i = 0; i < n; i++)
        s += a[i] * each + from->other(from);
    return s;
}
