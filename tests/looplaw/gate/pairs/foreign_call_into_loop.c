// expected: growth
// -- before
int cost(const void *of);
int total(const int *a, int n) {
    int s = 0, each = cost(a);
    for (int i = 0; i < n; i++)
        s += a[i] * each;
    return s;
}
// -- after
int cost(const void *of);
int total(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * cost(a);
    return s;
}
