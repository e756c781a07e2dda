/* args: 6 3 | 9 2 | 4 5 : buffers of unlike sizes that change places, and objects that a loop replaces by others */
#include <cstdlib>
#include <vector>
#include <cstdio>
class Simulation {
public:
  Simulation(int n, int m, int steps) : steps_(steps), now_(n), next_(m), third_(n + 1) {}
  void run() {
    for (int t = 0; t < steps_; ++t) {
      for (size_t i = 0; i < now_.size(); ++i) {
        sum_ += now_[i];
      }
      std::swap(now_, next_);
    }
  }
  void grow() {
    for (int t = 0; t < steps_; ++t) {
      for (size_t i = 0; i < now_.size(); ++i) {
        sum_ += now_[i];
      }
      next_.push_back(1.0);
      std::swap(now_, next_);
    }
  }
  void turn() {
    for (int t = 0; t < steps_; ++t) {
      for (size_t i = 0; i < third_.size(); ++i) {
        sum_ += third_[i];
      }
      std::swap(now_, next_);
      std::swap(next_, third_);
    }
  }
  void change(int k) {
    for (int t = 0; t < steps_; ++t) {
      for (int i = 0; i < k_; ++i) {
        sum_ += 1;
      }
      k_ = kept_;
      if (t == 1) kept_ = k;
    }
  }
  double sum() const { return sum_; }
private:
  int steps_, k_ = 3, kept_ = 3;
  std::vector<double> now_, next_, third_;
  double sum_ = 0;
};
struct Matrix {
  int n; std::vector<double> d;
  explicit Matrix(int n) : n(n), d(n * n) {}
  Matrix grown() const { Matrix r(n + 1); return r; }
  Matrix same() const { Matrix r(n); return r; }
  double sum() const {
    double s = 0;
    for (int i = 0; i < n; i++) {
      s += d[i];
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Simulation s(n, m, 3);
  s.run();
  s.run();
  Simulation g(n, n, m);
  g.grow();
  Simulation u(n, n, m);
  u.turn();
  u.change(n);
  u.run();
  Matrix a(n), b(n), c(n);
  double x = 0;
  for (int k = 0; k < m; k++) {
    x += a.sum();
    a = a.grown();
  }
  for (int k = 0; k < m; k++) {
    for (int j = 0; j < 2; j++) {
      b = b.same();
      x += b.sum();
    }
    b = b.grown();
  }
  for (int k = 0; k < m; k++) {
    if (k == 1) c = c.grown();
    c = c.same();
    x += c.sum();
  }
  printf("%g\n", s.sum() + g.sum() + u.sum() + x);
  return 0;
}
