// expected: nothing
// -- before
struct node { struct node *left, *right; int key; };
int height(const struct node *x, int depth) {
    int l, r;
    if (!x) return 0;
    l = height(x->left, depth + 1);
    r = height(x->right, depth + 1);
    return 1 + (l > r ? l : r);
}
// -- after
struct node { struct node *left, *right; int key; };
int height(const struct node *x, int depth) {
    int l, r;
    if (!x || depth > 10000) return 0;
    l = height(x->left, depth + 1);
    r = height(x->right, depth + 1);
    return 1 + (l > r ? l : r);
}
