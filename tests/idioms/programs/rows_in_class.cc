// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
class Grid {
public:
  Grid(int n, int m) : n_(n), m_(m), rows_(n) {
    for (int i = 0; i < n_; i++) { /* law: n */
      rows_[i].resize(m);
    }
  }
  double sum() const {
    double s = 0;
    for (const auto &r : rows_) { /* law: n */
      for (double x : r) { /* law: n*m */
        s += x;
      }
    }
    return s;
  }
private:
  int n_, m_;
  std::vector<std::vector<double>> rows_;
};
static std::vector<std::vector<int>> build(int n, int m) {
  std::vector<std::vector<int>> a(n);
  for (auto &r : a) { /* law: n */
    r.assign(m, 1);
  }
  return a;
}
static long total(const std::vector<std::vector<int>> &a) {
  long s = 0;
  for (std::size_t i = 0; i < a.size(); i++) { /* law: n */
    for (std::size_t j = 0; j < a[i].size(); j++) { /* law: n*m */
      s += a[i][j];
    }
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Grid g(n, m);
  auto h = build(n, m);
  return (int)g.sum() + total(h);
}
