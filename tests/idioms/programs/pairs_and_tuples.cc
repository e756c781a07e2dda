// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>
static std::pair<int, int> extent(int n) { return {n, 2 * n}; }
static std::tuple<int, int> both(int n) { return std::make_tuple(n + 1, 3); }
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  auto e = extent(n);
  for (int i = 0; i < e.first; i++) { /* law: n */
    s += i;
  }
  for (int i = 0; i < e.second; i++) { /* law: 2*n */
    s += i;
  }
  auto [a, b] = both(n);
  for (int i = 0; i < a; i++) { /* law: n + 1 */
    for (int j = 0; j < b; j++) { /* law: 3*n + 3 */
      s += i;
    }
  }
  std::vector<std::pair<int, double>> v;
  for (int i = 0; i < n; i++) { /* law: n */
    v.push_back({i, 0.5});
    v.emplace_back(i, 1.5);
  }
  for (auto &[k, x] : v) { /* law: 2*n */
    s += k;
  }
  return s & 1;
}
