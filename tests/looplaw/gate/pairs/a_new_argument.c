// expected: nothing
// -- before
int change(char *p, int n) { return p[0] + n; }
// -- after
int change(char *p, int n, char **options, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        n += options[i][0];
    return p[0] + n;
}
