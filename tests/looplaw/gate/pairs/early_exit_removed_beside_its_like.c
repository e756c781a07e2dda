// expected: growth or undecided
// -- before
int count(const int *a, const int *b, int n, int m) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    for (int i = 0; i < m; i++) {
        if (b[i] == 0) break;
        for (int j = 0; j < a[i]; j++) s += j;
    }
    return s;
}
// -- after
int count(const int *a, const int *b, int n, int m) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < a[i]; j++) s += j;
    }
    return s;
}
