// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
#include <memory>
struct Solver {
  virtual ~Solver() = default;
  virtual double run(const std::vector<double> &x) const = 0;
};
struct Sum final : Solver {
  double run(const std::vector<double> &x) const override {
    double s = 0;
    for (double v : x) { /* law: n */
      s += v;
    }
    return s;
  }
};
static std::unique_ptr<Solver> make() {
  return std::make_unique<Sum>();
}
int main(int argc, char **argv) {
  std::vector<double> x(std::atoi(argv[1]), 2.0);
  auto s = make();
  std::printf("%g\n", s->run(x));
}
