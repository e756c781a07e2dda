// args: 3 4 | 8 2 | 12 0 | 1 5
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
enum class Kind { near, far };
struct Options {
  int size = 5, steps = 1;
};
static Options parse(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    throw std::runtime_error("usage: rows size steps");
  }
  Options o;
  o.size = std::stoi(words[0]);
  o.steps = std::stoi(words.at(1));
  return o;
}
class Graph {
  std::vector<std::vector<std::pair<int, double>>> edges_;
  std::vector<std::vector<Kind>> kinds_;

public:
  explicit Graph(int n) : edges_(n), kinds_(n, std::vector<Kind>(n, Kind::near)) {
    for (int i = 0; i < n; ++i) { /* law: n */
      if (i > 0) {
        edges_[i].push_back({i - 1, 1.0});
      }
      edges_[i].emplace_back(i, 2.0);
      if (i + 1 < n) {
        edges_[i].push_back({i + 1, 1.0});
      }
    }
  }
  double weight() const {
    double s = 0;
    for (const auto &row : edges_) { /* law: n */
      for (const auto &[to, w] : row) { /* law: 3*n - 2 */
        s += to * w;
      }
    }
    for (const auto &row : kinds_) { /* law: n */
      for (Kind k : row) { /* law: n*n */
        s += k == Kind::far;
      }
    }
    return s;
  }
};
int main(int argc, char **argv) {
  Options o = parse(argc, argv);
  Graph g(o.size);
  std::vector<std::vector<int>> ring(o.size);
  for (int i = 0; i < o.size; ++i) { /* law: n */
    ring[i].push_back(i);
    ring[i].push_back((i + 1) % o.size);
  }
  std::vector<std::vector<int>> next = ring;
  for (int t = 0; t < o.steps; ++t) { /* law: m */
    for (int i = 0; i < o.size; ++i) { /* law: n*m */
      next[i][0] = ring[i][1];
    }
    std::swap(ring, next);
  }
  double s = g.weight();
  for (const auto &row : ring) { /* law: n */
    for (int x : row) { /* law: 2*n */
      s += x;
    }
  }
  std::printf("%g\n", s);
}
