// expected: nothing
// -- before
struct item { struct item *next; };
int ends(struct item *a, struct item *b) {
    int n = 0;
    for (; a; a = a->next)
        n++;
    while (b && b->next != b)
        b = b->next;
    return n + (b != 0);
}
// -- after
struct item { struct item *next; };
int ends(struct item *a, struct item *b) {
    int n = 0;
    for (; a; a = a->next)
        n++;
    return n + (b != 0);
}
