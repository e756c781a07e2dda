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
    for (const double *p = a, *e = a+n; p != e; ++p) s += *p;
    return s;
}
