// expected: nothing
// -- before
void f(double *a, int n, int m) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i*m+j] = 0;
}
// -- after
void f(int n, int m, double *a) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i*m+j] = 0;
}
