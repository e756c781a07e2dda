// expected: growth
// -- before
static void mg(int *a, int *t, int n) {
    if (n < 2) return;
    int h = n/2;
    mg(a, t, h);
    mg(a+h, t, n-h);
    int i = 0, j = h;
    for (int k = 0; k < n; k++) t[k] = j >= n || (i < h && a[i] < a[j])?a[i++]:a[j++];
    for (int k = 0; k < n; k++) a[k] = t[k];
}
void sort(int *a, int *t, int n) {
    mg(a, t, n);
}
// -- after
void sort(int *a, int *t, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j+1 < n-i; j++) if (a[j]>a[j+1]) {
        int x = a[j];
        a[j] = a[j+1];
        a[j+1] = x;
    }
}
