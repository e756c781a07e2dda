// args: 0 | 1 | 7 | 100
#include <cmath>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<double> x(n, 1.0), y(n);
  const double tolerance = 1e-6;
  double error = 1.0;
  for (int step = 0; step < 100; ++step) { /* law: parametric */
    error = 0;
    for (int i = 0; i < n; ++i) { /* law: parametric */
      y[i] = 0.5 * x[i];
      error += std::abs(y[i] - x[i]);
    }
    std::swap(x, y);
    if (error < tolerance) {
      break;
    }
  }
  return error > 1;
}
