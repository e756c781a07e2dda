// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), s = 0;
  std::vector<std::vector<int>> a;
  for (int i = 0; i < n; i++) { /* law: n */
    a.push_back(std::vector<int>(m, i));
  }
  for (auto &row : a) { /* law: n */
    for (int x : row) { /* law: n*m */
      s += x;
    }
  }
  std::vector<std::vector<int>> b(n);
  for (auto &row : b) { /* law: n */
    row.resize(m);
  }
  for (int i = 0; i < n; i++) { /* law: n */
    for (size_t j = 0; j < b[i].size(); j++) { /* law: n*m */
      s += b[i][j];
    }
  }
  return s & 1;
}
