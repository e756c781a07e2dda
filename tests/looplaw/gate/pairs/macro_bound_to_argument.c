// expected: growth
// -- before
#define N 16
void f(int *a, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < N; j++) a[i] += j;
}
// -- after
#define N n
void f(int *a, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < N; j++) a[i] += j;
}
