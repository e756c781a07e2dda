#include "kernels.h"
#include <vector>
extern "C" double kernel(std::vector<double> &x, std::vector<double> &y, int m) {
  double s = 0;
  for (int t = 0; t < m; t++) {
    for (std::size_t i = 0; i < x.size(); i++) y[i] += 2 * x[i];
    for (double v : y) s += v;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = N, m = M;
  std::vector<double> x(n, 1.0), y(n);
  MEASURED(x, y, m);
}
