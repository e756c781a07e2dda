// expected: growth
// -- before
void f(int *a, int m, int n) {
    int i = 0, j = 0;
    while (i < m && j < n) {
        a[i] = j;
        i++;
        j++;
    }
}
// -- after
void f(int *a, int m, int n) {
    int i = 0, j = 0;
    while (i < m || j < n) {
        a[i] = j;
        i++;
        j++;
    }
}
