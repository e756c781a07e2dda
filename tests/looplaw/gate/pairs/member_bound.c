// expected: growth or undecided
// -- before
struct s {
    int n;
    int *v;
};
int f(struct s *p) {
    int r = 0;
    for (int i = 0; i < p->n; i++) r += p->v[i];
    return r;
}
// -- after
struct s {
    int n;
    int *v;
};
int f(struct s *p) {
    int r = 0;
    for (int i = 0; i < p->n; i++) for (int j = i; j < p->n; j++) r += p->v[j];
    return r;
}
