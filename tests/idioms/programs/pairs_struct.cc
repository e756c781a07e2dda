// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
#include <utility>
struct Edge {
  int a, b;
  double w;
};
struct Graph {
  int n;
  std::vector<Edge> edges;
  explicit Graph(int n) : n(n) {
    for (int i = 0; i < n; ++i) { /* law: n */
      for (int j = i + 1; j < n; ++j) { /* law: n*(n-1)/2 */
        edges.push_back({i, j, 1.0});
      }
    }
  }
  double weight() const {
    double w = 0;
    for (const auto &e : edges) { /* law: n*(n-1)/2 */
      w += e.w;
    }
    return w;
  }
};
int main(int argc, char **argv) {
  Graph g(std::atoi(argv[1]));
  std::printf("%g\n", g.weight());
}
