// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <memory>
class Grid {
public:
  Grid(int nx, int ny) : nx_(nx), ny_(ny), cells_(new double[nx * ny + 1]) {}
  ~Grid() { delete[] cells_; }
  int nx() const { return nx_; }
  int ny() const { return ny_; }
  double &at(int i, int j) { return cells_[i * ny_ + j]; }
private:
  int nx_, ny_;
  double *cells_;
};
class Solver {
public:
  struct Options {
    int sweeps = 4;
    int every{2};
  };
  Solver(int nx, int ny, Options o) : grid_(nx, ny), options_(o) {}
  double run() {
    double s = 0;
    for (int k = 0; k < options_.sweeps; ++k) { /* law: 4 */
      for (int i = 0; i < grid_.nx(); ++i) { /* law: 4*n */
        for (int j = 0; j < grid_.ny(); ++j) { /* law: 4*n*m */
          grid_.at(i, j) += i + j;
        }
      }
    }
    for (int i = 0; i < grid_.nx() * grid_.ny(); i += options_.every) { /* law: ceiling(n*m/2) */
      s += i;
    }
    return s;
  }
private:
  Grid grid_;
  Options options_;
};
int main(int argc, char **argv) {
  auto solver = std::make_unique<Solver>(std::atoi(argv[1]), std::atoi(argv[2]), Solver::Options{});
  return solver->run() > 2;
}
