#include "kernels.h"
double kernel(int n, double *a, double *b, double *c) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i > 0 && j < n - 1) s += a[(i - 1) * n + j + 1];
      if (i % 4 == 0) s += b[i * n + j]; else if (j < i) c[j * n + i] = s;
    }
  return s;
}
int main(int argc, char **argv) {
  int n = N;
  double *a = NEW(double, n * n), *b = NEW(double, n * n), *c = NEW(double, n * n);
  MEASURED(n, a, b, c);
}
