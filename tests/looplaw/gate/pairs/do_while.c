// expected: growth
// -- before
void f(int *a, int n) {
    int i = 0;
    do {
        a[i] = 0;
        i++;
    } while (i < n);
}
// -- after
void f(int *a, int n) {
    int i = 0;
    do {
        int j = 0;
        do {
            a[i] += j;
            j++;
        } while (j < n);
        i++;
    } while (i < n);
}
