#include "kernels.h"
void kernel(int n, double *A, double *B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[j * n + i] = A[i * n + j];
}
int main(int argc, char **argv) {
  int n = N;
  double *A = NEW(double, n * n), *B = NEW(double, n * n);
  MEASURED(n, A, B);
}
