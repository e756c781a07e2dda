// args: 3 4 | 7 5 | 10 10
#include <cstdlib>
#include <vector>
#include <cstdio>
class Grid {
  int nx_, ny_;
  std::vector<std::vector<double>> u_;

public:
  Grid(int nx, int ny) : nx_(nx), ny_(ny), u_(nx, std::vector<double>(ny)) {
  }
  void smooth() {
    for (int i = 1; i < nx_ - 1; ++i) { /* law: n-2 */
      for (int j = 1; j < ny_ - 1; ++j) { /* law: (n-2)*(m-2) */
        u_[i][j] = 0.25 * (u_[i - 1][j] + u_[i + 1][j] + u_[i][j - 1] + u_[i][j + 1]);
      }
    }
  }
  double norm() const {
    double s = 0;
    for (const auto &row : u_) { /* law: n */
      for (double x : row) { /* law: n*m */
        s += x * x;
      }
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int nx = std::atoi(argv[1]);
  int ny = std::atoi(argv[2]);
  Grid g(nx, ny);
  g.smooth();
  std::printf("%g\n", g.norm());
}
