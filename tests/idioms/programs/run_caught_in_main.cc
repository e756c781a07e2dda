// args: 1 | 2 | 8 | 20
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>
static double run(int n) {
  std::vector<double> v(n, 1.0);
  double s = 0;
  for (int i = 0; i < n; ++i) { /* law: n */
    if (v[i] < 0) throw std::runtime_error("negative");
    s += v[i];
  }
  for (double x : v) { /* law: n */
    s += x;
  }
  return s;
}
int main(int argc, char **argv) {
  try {
    std::printf("%g\n", run(std::atoi(argv[1])));
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
