#include "kernels.h"
int kernel(int n, int m, double *a, double *q) {
  int found = 0;
  for (int k = 0; k < n; k++) {
    int lo = 0, hi = m;
    while (lo < hi) {
      int mid = lo + (hi - lo) / 2;
      if (a[mid] < q[k]) lo = mid + 1; else hi = mid;
    }
    found += lo;
  }
  return found;
}
int main(int argc, char **argv) {
  int n = N, m = M;
  double *a = NEW(double, m), *q = NEW(double, n);
  for (int k = 0; k < m; k++) a[k] = k;
  for (int k = 0; k < n; k++) q[k] = chance(m);
  MEASURED(n, m, a, q);
}
