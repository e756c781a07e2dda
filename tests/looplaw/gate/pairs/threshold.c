// expected: growth or undecided
// -- before
void f(int *a, int n) {
    if (n < 1000) for (int i = 0; i < n; i++) a[i] = 0;
}
// -- after
void f(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 0;
}
