// expected: nothing
// -- before
static int fits(const char *p, int np, const char *s, int ns, int *deepest) {
    while (np && ns) {
        if (*p == '*') {
            while (ns) {
                if (fits(p + 1, np - 1, s, ns, deepest))
                    return 1;
                s++;
                ns--;
            }
            return 0;
        }
        if (*p != *s)
            return 0;
        p++; np--; s++; ns--;
    }
    return np == ns;
}
int match(const char *p, int np, const char *s, int ns) {
    int deepest = 0;
    return fits(p, np, s, ns, &deepest);
}
// -- after
int match(const char *p, int np, const char *s, int ns) {
    while (np && ns) {
        if (*p == '*') {
            while (ns) {
                if (match(p + 1, np - 1, s, ns))
                    return 1;
                s++;
                ns--;
            }
            return 0;
        }
        if (*p != *s)
            return 0;
        p++; np--; s++; ns--;
    }
    return np == ns;
}
