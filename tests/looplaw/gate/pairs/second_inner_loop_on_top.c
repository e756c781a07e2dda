// expected: nothing
// -- before
struct node { struct node *next; const char *text; int is_text; };
extern void add(const char *text, int n);
static int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
void all(struct node *n) {
    for (; n; n = n->next)
        add(n->text, length(n->text));
}
// -- after
struct node { struct node *next; const char *text; int is_text; };
extern void add(const char *text, int n);
static int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
void all(struct node *n) {
    for (; n; n = n->next) {
        add(n->text, length(n->text));
        if (n->is_text)
            for (const char *c = n->text; *c; c++)
                n->is_text += *c;
    }
}
