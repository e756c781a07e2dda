// expected: nothing
// -- before
void f(double *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 1;
}
// -- after
void f(double *a, int n) {
    for (int i = n-1; i >= 0; i--) a[i] = 1;
}
