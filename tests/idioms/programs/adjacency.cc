// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), s = 0;
  std::vector<std::vector<int>> graph(n);
  for (int i = 0; i < n; ++i) { /* law: n */
    for (int j = 0; j < m; ++j) { /* law: n*m */
      graph[i].push_back((i + j) % n);
    }
  }
  for (int i = 0; i < n; ++i) { /* law: n */
    for (int next : graph[i]) { /* law: n*m */
      s += next;
    }
  }
  std::vector<std::vector<int>> triangle(n);
  for (int i = 0; i < n; ++i) { /* law: n */
    triangle[i].resize(i + 1);
  }
  for (const auto &row : triangle) { /* law: n */
    for (int x : row) { /* law: n*(n + 1)/2 */
      s += x;
    }
  }
  return s & 1;
}
