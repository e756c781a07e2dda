// expected: growth or undecided
// -- before
void f(const int *p, const int *c, const double *v, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = p[i]; k < p[i+1]; k++) s += v[k]*x[c[k]];
        y[i] = s;
    }
}
// -- after
void f(const int *p, const int *c, const double *v, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) for (int k = p[i]; k < p[i+1]; k++) if (c[k] == j) s += v[k]*x[j];
        y[i] = s;
    }
}
