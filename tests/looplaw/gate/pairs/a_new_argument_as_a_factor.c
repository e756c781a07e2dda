// expected: growth
// -- before
int sum(char *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
// -- after
int sum(char *p, int n, int times) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < times; j++)
            s += p[i] * j;
    return s;
}
