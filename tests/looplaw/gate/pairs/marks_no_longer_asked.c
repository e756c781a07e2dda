// expected: growth
// -- before
struct node { int seen, n; struct node **next; };
void visit(struct node *v) {
    if (v->seen) return;
    v->seen = 1;
    for (int i = 0; i < v->n; i++) visit(v->next[i]);
}
// -- after
struct node { int seen, n; struct node **next; };
void visit(struct node *v) {
    v->seen = 1;
    for (int i = 0; i < v->n; i++) visit(v->next[i]);
}
