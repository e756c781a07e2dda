#include "kernels.h"
void kernel(int n, double *packed, double *x, double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) x[i] += packed[i * (i + 1) / 2 + j] * x[j];
  for (int k = n - 1; k >= 0; k--)
    for (int i = 0; i < k; i++)
      for (int j = i; j < k; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
}
int main(int argc, char **argv) {
  int n = N;
  double *p = NEW(double, n * (n + 1) / 2), *x = NEW(double, n), *A = NEW(double, n * n);
  MEASURED(n, p, x, A);
}
