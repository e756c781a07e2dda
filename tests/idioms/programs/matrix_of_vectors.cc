// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  std::vector<std::vector<double>> a(n, std::vector<double>(m));
  for (int i = 0; i < n; i++) { /* law: n */
    for (int j = 0; j < m; j++) { /* law: n*m */
      a[i][j] = i * j;
    }
  }
  double s = 0;
  for (const auto &row : a) { /* law: n */
    for (double x : row) { /* law: n*m */
      s += x;
    }
  }
  for (std::size_t i = 0; i < a.size(); i++) { /* law: n */
    for (std::size_t j = 0; j < a[i].size(); j++) { /* law: n*m */
      s += a[i][j];
    }
  }
  return s > 3;
}
