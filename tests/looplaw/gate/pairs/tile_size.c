// expected: nothing
// -- before
void f(double *a, int n) {
    for (int i = 0; i < n; i += 8) for (int j = i; j < i+8 && j < n; j++) a[j] = 0;
}
// -- after
void f(double *a, int n) {
    for (int i = 0; i < n; i += 32) for (int j = i; j < i+32 && j < n; j++) a[j] = 0;
}
