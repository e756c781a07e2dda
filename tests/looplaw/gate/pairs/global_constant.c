// expected: growth or undecided
// -- before
static int width = 8;
void setw(int n) {
    width = n;
}
void f(int *a, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) a[i] += j;
}
// -- after
static int width = 8;
void setw(int n) {
    width = n;
}
void f(int *a, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < width; j++) a[i] += j;
}
