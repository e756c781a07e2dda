// expected: growth or undecided
// -- before
void note(const char *p);
void wrap(const char *p) {
    while (*p) {
        note(p);
        p++;
    }
}
// -- after
void note(const char *p);
void wrap(const char *p) {
    while (*p) {
        const char *q = p, *last = p;
        while (*q && *q != '\n') {
            if (*q == ' ') last = q;
            q++;
        }
        note(p);
        p = last + 1;
    }
}
