// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
class Base {
public:
  explicit Base(int n) : Base(n, 2) {}
  Base(int n, int width) : n_(n), width_(width), values_(n * width) {}
  virtual ~Base() = default;
protected:
  int n_, width_;
  std::vector<int> values_;
};
class Derived : public Base {
public:
  using Base::Base;
  int total() const {
    int s = 0;
    for (int i = 0; i < n_; ++i) { /* law: n + m */
      for (int j = 0; j < width_; ++j) { /* law: 2*n + 3*m */
        s += values_[i * width_ + j];
      }
    }
    return s;
  }
};
int main(int argc, char **argv) {
  Derived a(std::atoi(argv[1])), b(std::atoi(argv[2]), 3);
  return (a.total() + b.total()) & 1;
}
