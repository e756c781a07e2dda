// expected: growth or undecided
// -- before
int rest(const char *s, int n) {
    int at = 0, more = 0;
    while (at < n && s[at] != ' ')
        at++;
    for (int i = at; i < n; i++)
        more += s[i];
    return more;
}
// -- after
int rest(const char *s, int n) {
    int at = 0, more = 0;
    while (at < n && s[at] != ' ' && s[at] != '-')
        at++;
    for (int i = at; i < n; i++)
        for (int j = at; j < n; j++)
            more += s[i] * s[j];
    return more;
}
