// expected: growth or undecided
// -- before
struct reader { const char *cur; int depth; };
void note(int c);
void parse(struct reader *r) {
    while (*r->cur) {
        note(*r->cur);
        r->cur++;
    }
}
// -- after
struct reader { const char *cur; int depth; };
void note(int c);
void parse(struct reader *r) {
    while (*r->cur) {
        const char *start = r->cur;
        while (*r->cur != 'x' && *r->cur) r->cur++;
        note(*r->cur);
        r->cur = start;
        r->cur++;
    }
}
