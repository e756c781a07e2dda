// expected: growth or undecided
// -- before
void f(int *a, const int *n) {
    for (int i = 0; i<*n; i++) a[i] = 0;
}
// -- after
void f(int *a, const int *n) {
    for (int i = 0; i<*n; i++) for (int j = 0; j<*n; j++) a[i] = j;
}
