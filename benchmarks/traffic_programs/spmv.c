#include "kernels.h"
void kernel(int n, int m, int *rowptr, int *col, double *val, double *x, double *y) {
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = rowptr[i]; k < rowptr[i + 1]; k++) s += val[k] * x[col[k]];
      y[i] = s;
    }
}
int main(int argc, char **argv) {
  int n = N, m = M, *rowptr = NEW(int, n + 1), *col = NEW(int, n * 5);
  double *val = NEW(double, n * 5), *x = NEW(double, m), *y = NEW(double, n);
  for (int i = 0; i <= n; i++) rowptr[i] = 5 * i;
  for (int k = 0; k < 5 * n; k++) col[k] = chance(m);
  MEASURED(n, m, rowptr, col, val, x, y);
}
