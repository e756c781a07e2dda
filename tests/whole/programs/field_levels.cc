/* 5 6 3: nx=5 ny=6 nt=3 | 8 4 2: nx=8 ny=4 nt=2 | 3 3 1: nx=3 ny=3 nt=1 | 7 5 0: nx=7 ny=5 nt=0 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
struct Params { int nx, ny, nt; };
class Field {
 public:
  Field(int nx, int ny) : nx_(nx), ny_(ny), data_(static_cast<std::size_t>(nx) * ny) {}
  double &operator()(int i, int j) { return data_[i + static_cast<std::size_t>(nx_) * j]; }
  int nx() const { return nx_; }
  int ny() const { return ny_; }
  double norm() const {
    double s = 0;
    for (const auto &x : data_) { /* nx*ny */
      s += x * x;
    }
    return std::sqrt(s);
  }

 private:
  int nx_, ny_;
  std::vector<double> data_;
};
class Solver {
 public:
  explicit Solver(const Params &p)
      : p_(p), prev_(p.nx, p.ny), cur_(p.nx, p.ny), next_(p.nx, p.ny) {
    cur_(p.nx / 2, p.ny / 2) = 1;
  }
  void step() {
    for (int j = 1; j < cur_.ny() - 1; ++j) { /* nt*(ny - 2) */
      for (int i = 1; i < cur_.nx() - 1; ++i) { /* nt*(ny - 2)*(nx - 2) */
        next_(i, j) = 2 * cur_(i, j) - prev_(i, j) + cur_(i + 1, j) + cur_(i, j - 1);
      }
    }
    std::swap(prev_, cur_);
    std::swap(cur_, next_);
  }
  double run() {
    for (int t = 0; t < p_.nt; ++t) { /* nt */
      step();
    }
    return cur_.norm();
  }

 private:
  Params p_;
  Field prev_, cur_, next_;
};
int main(int argc, char **argv) {
  Params p;
  p.nx = std::atoi(argv[1]);
  p.ny = std::atoi(argv[2]);
  p.nt = std::atoi(argv[3]);
  Solver s(p);
  std::printf("%g\n", s.run());
  return 0;
}
