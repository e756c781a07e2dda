// expected: nothing
// -- before
static volatile long s;
void one_of_two(int n, int m) {
    for (int j = 0; j < n; j++) {
        if (0 >= 2 * n - m) goto other;
        s++;
    }
    for (int k = 0; k < m; k++)
        s++;
    return;
    other:
    for (int k = 0; k < n; k++)
        s++;
}
// -- after
static volatile long s;
void one_of_two(int n, int m) {
    int j = 0;
    while (j < n) {
        if (m - 2 * n >= 0) goto other;
        s++;
        j++;
    }
    for (int k = 0; k < m; k++)
        s++;
    return;
    other:
    for (int k = 0; k < n; k++)
        s++;
}
