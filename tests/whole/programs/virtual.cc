/* 6 2: n=6 m=2 | 9 3: n=9 m=3 */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct Op {
  virtual ~Op() = default;
  virtual double apply(std::vector<double> &v) = 0;
};
struct Scale : Op {
  double apply(std::vector<double> &v) override {
    for (auto &x : v) { /* n*m */
      x *= 2;
    }
    return 0;
  }
};
struct Prefix : Op {
  double apply(std::vector<double> &v) override {
    for (std::size_t i = 1; i < v.size(); i++) { /* (n-1)*m */
      v[i] += v[i - 1];
    }
    return v.back();
  }
};
int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage\n");
    return 1;
  }
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  std::vector<double> v(n, 1.0);
  Scale scale;
  Prefix prefix;
  Op *ops[2] = {&scale, &prefix};
  double s = 0;
  for (int r = 0; r < m; r++) { /* m */
    for (Op *o : ops) { /* 2*m */
      s += o->apply(v);
    }
  }
  std::printf("%g\n", s);
}
