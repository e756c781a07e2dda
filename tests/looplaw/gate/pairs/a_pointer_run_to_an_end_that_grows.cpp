// expected: growth
// -- before
int f(const int *p, int n) {
    int s = 0;
    for (const int *q = p; q != p + 16; ++q)
        s += *q;
    return s + n;
}
// -- after
int f(const int *p, int n) {
    int s = 0;
    for (const int *q = p; q != p + n; ++q)
        s += *q;
    return s + n;
}
