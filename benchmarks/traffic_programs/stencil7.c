#include "kernels.h"
void kernel(int n, int m, double *a, double *b) {
  for (int t = 0; t < m; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++) {
          int at = (i * n + j) * n + k;
          b[at] = a[at] + a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n];
        }
    double *s = a;
    a = b;
    b = s;
  }
}
int main(int argc, char **argv) {
  int n = N, m = M;
  double *a = NEW(double, n * n * n), *b = NEW(double, n * n * n);
  MEASURED(n, m, a, b);
}
