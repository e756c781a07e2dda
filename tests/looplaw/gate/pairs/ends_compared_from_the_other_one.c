// expected: undecided
// -- before
int ends_with(const char *a, const char *b) {
    const char *p, *q;
    for (p = a; *p; p++)
        ;
    for (q = b; *q; q++)
        ;
    if (q - b < p - a || p == a)
        return 0;
    do {
        if (*--p != *--q)
            return 0;
    } while (p != a);
    return 1;
}
// -- after
int ends_with(const char *a, const char *b) {
    const char *p, *q;
    for (p = a; *p; p++)
        ;
    for (q = b; *q; q++)
        ;
    if (p - a < q - b)
        return 0;
    do {
        if (*--p != *--q)
            return 0;
    } while (q != b);
    return 1;
}
