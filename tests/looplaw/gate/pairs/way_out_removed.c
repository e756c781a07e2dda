// expected: growth or undecided
// -- before
struct text { const char *s; unsigned long n, at; };
int word(struct text *p) {
    unsigned long from = p->at;
    while (p->at < p->n && p->s[p->at] != ' ' && p->s[p->at] != '-')
        p->at++;
    return (int)(p->at - from);
}
// -- after
struct text { const char *s; unsigned long n, at; };
int word(struct text *p) {
    unsigned long from = p->at;
    while (p->at < p->n && p->s[p->at] != ' ')
        p->at++;
    return (int)(p->at - from);
}
