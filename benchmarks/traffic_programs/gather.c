#include "kernels.h"
double kernel(int n, int m, double *x, int *col) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[col[i]];
  return s;
}
int main(int argc, char **argv) {
  int n = N, m = M;
  double *x = NEW(double, m);
  int *col = NEW(int, n);
  for (int i = 0; i < n; i++) col[i] = chance(m);
  MEASURED(n, m, x, col);
}
