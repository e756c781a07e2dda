// expected: nothing
// -- before
void f(double *a, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i*n+j] = 0;
}
// -- after
void f(double *a, int n) {
    for (int j = 0; j < n; j++) for (int i = j; i < n; i++) a[i*n+j] = 0;
}
