// expected: growth
// -- before
void f(int *a, int n, int m) {
    for (int i = 0; i < n; i++) a[i] = 0;
    for (int i = 0; i < m; i++) a[i] = 1;
}
// -- after
void f(int *a, int n, int m) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i] = j;
}
