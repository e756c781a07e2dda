// expected: undecided
// -- before
int cost(int of);
int total(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
// -- after
int cost(int of);
int total(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] + cost(i);
    return s;
}
