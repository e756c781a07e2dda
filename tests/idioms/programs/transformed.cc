// args: 0 3 | 1 1 | 7 5 | 10 0
#include <algorithm>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  std::vector<double> x(n, 1.0), y(n);
  std::transform(x.begin(), x.end(), y.begin(), [m](double a) {
    for (int k = 0; k < m; k++) { /* law: n*m */
      a = a * 0.5 + k;
    }
    return a;
  });
  std::for_each(y.begin(), y.end(), [&](double &a) {
    for (int k = 0; k < 3; k++) { /* law: 3*n */
      a -= k;
    }
  });
  double s = 0;
  for (std::size_t i = 0; i < y.size(); ++i) { /* law: n */
    s += y[i];
  }
  return s > 3;
}
