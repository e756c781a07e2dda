// expected: growth
// -- before
struct source { int (*get)(struct source *); int v; };
int total(struct source *from, const int *a, int n) {
    int s = 0, each = from->get(from);
    for (int i = 0; i < n; i++)
        s += a[i] * each;
    return s;
}
// -- after
struct source { int (*get)(struct source *); int v; };
int total(struct source *from, const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * from->get(from);
    return s;
}
