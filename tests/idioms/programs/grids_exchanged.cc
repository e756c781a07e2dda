// args: 4 3 | 10 2 | 7 5 | 5 0
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>
class Grid {
  int n_;
  std::vector<double> cells_;
  std::mt19937 noise_;

public:
  explicit Grid(int n) : n_(n), noise_(7) {
    std::uniform_real_distribution<double> some(0, 1);
    for (int i = 0; i < n * n; ++i) { /* law: 2*n*n */
      cells_.push_back(some(noise_));
    }
  }
  int n() const { return n_; }
  std::vector<double> &cells() { return cells_; }
  double &at(int i, int j) { return cells_[i * n_ + j]; }
};
static void sweep(Grid &from, Grid &to) {
  for (int i = 1; i < from.n() - 1; ++i) { /* law: parametric */
    for (int j = 1; j < from.n() - 1; ++j) { /* law: parametric */
      to.at(i, j) = 0.25 * (from.at(i - 1, j) + from.at(i + 1, j) + from.at(i, j - 1));
    }
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  Grid a(n), b(n);
  Grid *now = &a, *next = &b;
  for (int t = 0; t < steps; ++t) { /* law: m */
    sweep(*now, *next);
    std::swap(now, next);
  }
  double sum = 0;
  for (double x : now->cells()) { /* law: parametric */
    sum += x;
  }
  std::printf("%g\n", sum);
}
