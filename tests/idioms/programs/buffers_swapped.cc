// args: 3 0 | 4 1 | 7 6 | 10 3
#include <cstdlib>
#include <utility>
#include <vector>
class Field {
  int width_;
  std::vector<double> cells_;

 public:
  explicit Field(int width) : width_(width), cells_(width * 2) {}
  int width() const { return width_; }
  double &at(int i) { return cells_[i]; }
  double sum() const {
    double s = 0;
    for (double c : cells_) { /* law: 2*n */
      s += c;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  std::vector<double> old(n), now(n), next(n);
  for (int t = 0; t < steps; t++) { /* law: m */
    for (std::size_t i = 0; i < now.size(); i++) { /* law: n*m */
      next[i] = 2 * now[i] - old[i];
    }
    old.swap(now);
    std::swap(now, next);
  }
  Field a(n), b(n);
  for (int t = 0; t < steps; t++) { /* law: m */
    for (int i = 1; i < a.width() - 1; i++) { /* law: (n - 2)*m */
      b.at(i) = a.at(i - 1) + a.at(i + 1);
    }
    std::swap(a, b);
  }
  double s = a.sum();
  for (double x : now) { /* law: n */
    s += x;
  }
  return s > 1e9;
}
