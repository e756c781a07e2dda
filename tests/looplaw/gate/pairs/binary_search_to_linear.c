// expected: growth or undecided
// -- before
int f(const int *a, int n, int k) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int m = lo+(hi-lo)/2;
        if (a[m] < k) lo = m+1;
        else hi = m;
    }
    return lo;
}
// -- after
int f(const int *a, int n, int k) {
    int i = 0;
    while (i < n && a[i] < k) i++;
    return i;
}
