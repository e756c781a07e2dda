// expected: nothing
// -- before
void f(const int *p, const int *c, const double *v, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = p[i]; k < p[i+1]; k++) s += v[k]*x[c[k]];
        y[i] = s;
    }
}
// -- after
void f(const int *rows, const int *cols, const double *v, const double *x, double *y, int n) {
    for (int r = 0; r < n; r++) {
        double sum = 0;
        int e = rows[r+1];
        for (int k = rows[r]; k < e; ++k) sum += v[k]*x[cols[k]];
        y[r] = sum;
    }
}
