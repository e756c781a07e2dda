// expected: nothing
// -- before
int f(const int *a, int n) {
    int i = 0;
    while (i < n && a[i] != 7) i++;
    return i;
}
// -- after
int f(const int *a, int n) {
    int i = 0;
    for (;;) {
        if (i >= n) break;
        if (a[i] == 7) break;
        i++;
    }
    return i;
}
