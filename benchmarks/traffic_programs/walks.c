#include "kernels.h"
double kernel(int n, int m, double *a, float *b, char *c) {
  double s = 0, *end = a + n;
  for (double *p = a; p != end; p++) s += *p;
  for (int i = n - 1; i >= 0; i -= 3) s += a[i] * b[2 * i];
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i += 5) b[i] += c[n - 1 - i];
  for (int i = 0; i < n; i += m)
    for (int j = i; j < i + m && j < n; j++) s += a[n - 1 - j];
  return s;
}
int main(int argc, char **argv) {
  int n = N, m = M;
  double *a = NEW(double, n);
  float *b = NEW(float, 2 * n);
  char *c = NEW(char, n);
  MEASURED(n, m, a, b, c);
}
