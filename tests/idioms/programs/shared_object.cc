// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <memory>
#include <vector>
struct Grid {
  int n;
  std::vector<double> cells;
  explicit Grid(int size) : n(size), cells(size * size) {}
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  auto g = std::make_shared<Grid>(n);
  std::shared_ptr<Grid> h = g;
  double s = 0;
  for (int i = 0; i < h->n; i++) { /* law: n */
    for (int j = 0; j < g->n; j++) { /* law: n**2 */
      s += h->cells[i * n + j];
    }
  }
  for (double x : g->cells) { /* law: n**2 */
    s += x;
  }
  return s > 1;
}
