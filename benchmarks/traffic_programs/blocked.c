#include "kernels.h"
void kernel(int n, int m, double *A, double *B, double *C) {
  for (int ii = 0; ii < n; ii += m)
    for (int kk = 0; kk < n; kk += m)
      for (int jj = 0; jj < n; jj += m)
        for (int i = ii; i < ii + m && i < n; i++)
          for (int k = kk; k < kk + m && k < n; k++)
            for (int j = jj; j < jj + m && j < n; j++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
int main(int argc, char **argv) {
  int n = N, m = M;
  double *A = NEW(double, n * n), *B = NEW(double, n * n), *C = NEW(double, n * n);
  MEASURED(n, m, A, B, C);
}
