#include "kernels.h"
void kernel(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
int main(int argc, char **argv) {
  int n = N;
  double **a = NEW(double *, n), **b = NEW(double *, n), **c = NEW(double *, n);
  for (int i = 0; i < n; i++) a[i] = NEW(double, n), b[i] = NEW(double, n), c[i] = NEW(double, n);
  MEASURED(n, a, b, c);
}
