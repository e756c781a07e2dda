// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <utility>
#include <vector>
typedef std::vector<std::vector<int>> Rows;
static void grow(std::vector<int> &row, int k) { row.resize(k); }
static long count(const Rows &rows) {
  long s = 0;
  for (const auto &row : rows) { /* law: parametric */
    for (int x : row) { /* law: parametric */
      s += x + 1;
    }
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  long s = 0;
  Rows b(m, std::vector<int>(n + 1));
  for (auto &row : b) { /* law: m */
    for (int &x : row) { /* law: m*(n + 1) */
      x = 1;
    }
  }
  Rows c(n);
  for (int i = 0; i < n; i++) { /* law: n */
    for (int x : c[i]) { /* law: parametric */
      s += x;
    }
    grow(c[i], 3);
  }
  Rows d(n);
  if (n > 2) {
    for (auto &row : d) { /* law: parametric */
      row.resize(m);
    }
  }
  for (auto &row : d) { /* law: n */
    for (int x : row) { /* law: parametric */
      s += x;
    }
  }
  Rows e(n, std::vector<int>(2)), f(n, std::vector<int>(5));
  std::swap(e, f);
  for (auto &row : e) { /* law: n */
    for (int x : row) { /* law: parametric */
      s += x;
    }
  }
  Rows g(n, std::vector<int>(4));
  if (n > 1) {
    std::swap(g[0], g[1]);
  }
  for (auto &row : g) { /* law: n */
    for (int x : row) { /* law: 4*n */
      s += x;
    }
  }
  Rows k(n, std::vector<int>(m));
  for (int i = 0; i < n; i++) { /* law: n */
    if (i % 2) {
      k[i].push_back(7);
    }
  }
  for (auto &row : k) { /* law: n */
    for (int x : row) { /* law: parametric */
      s += x;
    }
  }
  Rows w(n + 1, std::vector<int>(2));
  w[n].resize(8);
  for (auto &row : w) { /* law: n + 1 */
    for (int x : row) { /* law: parametric */
      s += x;
    }
  }
  Rows y(n, std::vector<int>(2));
  Rows z(y);
  z.push_back(std::vector<int>(3));
  y = z;
  for (auto &row : y) { /* law: n + 1 */
    for (int x : row) { /* law: parametric */
      s += x;
    }
  }
  Rows t;
  for (int i = 0; i < n; i++) { /* law: n */
    std::vector<int> row;
    for (int j = 0; j < m; j++) { /* law: n*m */
      row.push_back(j);
    }
    t.push_back(row);
  }
  for (auto &row : t) { /* law: n */
    for (int x : row) { /* law: n*m */
      s += x;
    }
  }
  s += count(c) + count(d);
  return s & 1;
}
