// expected: nothing
// -- before
void f(double *a, int n, int m) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i*m+j] = 0;
}
// -- after
static void row(double *a, int m) {
    for (int j = 0; j < m; j++) a[j] = 0;
}
void f(double *a, int n, int m) {
    for (int i = 0; i < n; i++) row(a+i*m, m);
}
