// args: 0 2 | 4 3 | 7 1
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>
struct Filter {
  virtual ~Filter() = default;
  virtual double apply(int n) const = 0;
};
struct Blur : Filter {
  double apply(int n) const override {
    double s = 0;
    for (int i = 0; i < n; i++) { /* law: 2*m*n */
      s += i * 0.5;
    }
    return s;
  }
};
struct Sharpen : Filter {
  double apply(int n) const override {
    double s = 0;
    for (int i = 0; i < n; i++) { /* law: m*n */
      for (int j = 0; j < n; j++) { /* law: m*n**2 */
        s += i * j;
      }
    }
    return s;
  }
};
class Pipeline {
public:
  explicit Pipeline(int n) : n_(n) {}
  void add(std::unique_ptr<Filter> f) { filters_.push_back(std::move(f)); }
  double run() const {
    double s = 0;
    for (const auto &f : filters_) { /* law: 3*m */
      s += f->apply(n_);
    }
    return s;
  }

private:
  std::vector<std::unique_ptr<Filter>> filters_;
  int n_;
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Pipeline p(n);
  p.add(std::make_unique<Blur>());
  p.add(std::make_unique<Sharpen>());
  p.add(std::make_unique<Blur>());
  double s = 0;
  for (int r = 0; r < m; r++) { /* law: m */
    s += p.run();
  }
  std::printf("%g\n", s);
}
