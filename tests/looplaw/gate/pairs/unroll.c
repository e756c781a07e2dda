// expected: nothing
// -- before
double f(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
// -- after
double f(const double *a, int n) {
    double s = 0;
    int i = 0;
    for (; i+4 <= n; i += 4) s += a[i]+a[i+1]+a[i+2]+a[i+3];
    for (; i < n; i++) s += a[i];
    return s;
}
