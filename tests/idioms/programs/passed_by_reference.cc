// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) { /* law: n */
    s += a[i] * b[i];
  }
  return s;
}
static void fill(std::vector<double> &a, double value) {
  for (auto &x : a) { /* law: 2*n */
    x = value;
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<double> a(n), b(n);
  fill(a, 1);
  fill(b, 2);
  return dot(a, b) > 3;
}
