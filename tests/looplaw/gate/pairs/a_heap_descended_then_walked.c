// expected: growth
// -- before
int less(const int *a, int i, int key);
void placed(int *a, int n, int m) {
    for (int k = 0; k < m; k++) {
        int i = 0;
        while (2 * i + 1 < n && less(a, i, k))
            i = 2 * i + 1;
        a[i] = k;
    }
}
// -- after
int less(const int *a, int i, int key);
void placed(int *a, int n, int m) {
    for (int k = 0; k < m; k++) {
        int i = 0;
        while (i + 1 < n && less(a, i, k))
            i = i + 1;
        a[i] = k;
    }
}
