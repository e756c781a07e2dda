// args: 3 2 | 4 1 | 10 7
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>
using Matrix = std::vector<std::vector<double>>;
static Matrix make_matrix(int rows, int columns) {
  Matrix m(rows, std::vector<double>(columns));
  for (auto &row : m) { /* law: n + m */
    for (auto &v : row) { /* law: 2*n*m */
      v = 1;
    }
  }
  return m;
}
static double trace(const Matrix &m) {
  double t = 0;
  for (std::size_t i = 0; i < m.size(); ++i) { /* law: n */
    t += m[i][i % m[i].size()];
  }
  return t;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Matrix a = make_matrix(n, m), b = make_matrix(m, n);
  std::printf("%g %zu\n", trace(a), b.size());
}
