// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <memory>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::unique_ptr<double[]> p(new double[n + 1]);
  auto q = std::make_unique<int[]>(n);
  double s = 0;
  for (int i = 0; i < n; i++) { /* law: n */
    p[i] = i;
    q[i] = 2 * i;
  }
  for (int i = 0; i < n; i++) { /* law: n */
    s += p[i] + q[i];
  }
  return s > 1;
}
