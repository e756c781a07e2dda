// expected: nothing
// -- before
#include <string.h>
typedef struct node { const char *name; struct node *child[2]; } node;
typedef struct seen { const char *names[64]; int count; } seen;
static int known(seen *s, const char *name) {
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0) return 1;
    return 0;
}
int visit(node *n, seen *s) {
    if (!n) return 0;
    int found = known(s, n->name);
    return found + visit(n->child[0], s) + visit(n->child[1], s);
}
// -- after
#include <string.h>
typedef struct node { const char *name; struct node *child[2]; } node;
typedef struct seen { const char *names[64]; int count; } seen;
static int known(seen *s, const char *name) {
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0) return 1;
    return 0;
}
int visit(node *n, seen *s) {
    node *stack[64];
    int top = 0, found = 0;
    if (n) stack[top++] = n;
    while (top > 0) {
        n = stack[--top];
        found += known(s, n->name);
        for (int k = 0; k < 2; k++)
            if (n->child[k]) stack[top++] = n->child[k];
    }
    return found;
}
