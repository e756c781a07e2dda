/* -n 5 -i 2: n=5 iters=2 | -n 7 -i 3: n=7 iters=3 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <string>
#include <iostream>
struct Options {
  int n = 32;
  int iters = 5;
  std::string out;
};
static Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; ++i) { /* data */
    std::string a = argv[i];
    if (a == "-n") {
      o.n = std::stoi(argv[++i]);
    } else if (a == "-i") {
      o.iters = std::stoi(argv[++i]);
    } else if (a == "-o") {
      o.out = argv[++i];
    } else {
      std::cerr << "unknown " << a << "\n";
      std::exit(1);
    }
  }
  return o;
}
class Solver {
  int n;
  std::vector<double> x, b, r;

public:
  Solver(const Options &o) : n(o.n), x(o.n * o.n), b(o.n * o.n, 1.0), r(o.n * o.n) {
  }
  void residual() {
    for (int i = 1; i < n - 1; i++) { /* iters*(n-2) */
      for (int j = 1; j < n - 1; j++) { /* iters*(n-2)**2 */
        r[i * n + j] = b[i * n + j] - 4 * x[i * n + j] + x[i * n + j - 1] +
                       x[i * n + j + 1] + x[(i - 1) * n + j] + x[(i + 1) * n + j];
      }
    }
  }
  void update() {
    for (std::size_t k = 0; k < x.size(); ++k) { /* iters*n**2 */
      x[k] += 0.2 * r[k];
    }
  }
  double norm() const {
    double s = 0;
    for (double v : r) { /* iters*n**2 */
      s += v * v;
    }
    return s;
  }
  double solve(int iters) {
    double s = 0;
    for (int it = 0; it < iters; it++) { /* iters */
      residual();
      update();
      s = norm();
    }
    return s;
  }
};
int main(int argc, char **argv) {
  Options o = parse(argc, argv);
  Solver s(o);
  std::printf("%g\n", s.solve(o.iters));
  return 0;
}
