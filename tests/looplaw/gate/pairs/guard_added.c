// expected: nothing
// -- before
void f(double *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 0;
}
// -- after
void f(double *a, int n) {
    if (!a || n <= 0) return;
    for (int i = 0; i < n; i++) a[i] = 0;
}
