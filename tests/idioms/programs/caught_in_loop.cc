// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>
static double checked(const std::vector<double> &v, std::size_t i) {
  if (i >= v.size()) {
    throw std::out_of_range("index " + std::to_string(i));
  }
  return v[i];
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), failures = 0;
  std::vector<double> v(n, 1.5);
  double s = 0;
  for (int i = 0; i < n; ++i) { /* law: n */
    try {
      s += checked(v, i);
      s += v.at(i);
    } catch (const std::exception &e) {
      ++failures;
    }
  }
  return failures;
}
