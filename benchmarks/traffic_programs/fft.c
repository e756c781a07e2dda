#include "kernels.h"
void kernel(int n, double *re, double *im) {
  for (int len = 1; len < n; len *= 2)
    for (int i = 0; i < n; i += 2 * len)
      for (int j = 0; j < len; j++) {
        double t = re[i + j + len], u = im[i + j + len];
        re[i + j + len] = re[i + j] - t;
        im[i + j + len] = im[i + j] - u;
        re[i + j] += t;
        im[i + j] += u;
      }
}
int main(int argc, char **argv) {
  int n = N;
  double *re = NEW(double, n), *im = NEW(double, n);
  MEASURED(n, re, im);
}
