// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
class Graph {
  int n_;
  std::vector<std::vector<int>> adj_;

public:
  Graph(int n) : n_(n), adj_(n) {
    for (int i = 0; i < n_; ++i) { /* law: n */
      adj_[i].push_back((i + 1) % n);
      adj_[i].push_back((i + 2) % n);
    }
  }
  long edges() const {
    long e = 0;
    for (int u = 0; u < n_; ++u) { /* law: n */
      for (int v : adj_[u]) { /* law: 2*n */
        e += v;
      }
    }
    return e;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Graph g(n);
  std::printf("%ld\n", g.edges());
}
