// expected: nothing
// -- before
void f(double *a, double *b, int n) {
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        b[i] = 2;
    }
}
// -- after
void f(double *a, double *b, int n) {
    for (int i = 0; i < n; i++) a[i] = 1;
    for (int i = 0; i < n; i++) b[i] = 2;
}
