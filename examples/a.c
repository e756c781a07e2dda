double sum(const double *x, int n);

double solve(const double *x, int n) { return sum(x, n); }
