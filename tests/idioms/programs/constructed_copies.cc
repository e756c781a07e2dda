// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <optional>
#include <vector>
struct State {
  std::vector<double> u;
  int steps = 3;
  State() = default;
  State(const State &) = default;
  State &operator=(const State &) = default;
};
static State initial(int n) {
  State s;
  s.u.assign(n, 0.5);
  return s;
}
static std::optional<int> half(int m) {
  if (m < 0) {
    return std::nullopt;
  }
  return m * 2;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  State a = initial(n), b(a);
  a = b;
  double s = 0;
  for (int t = 0; t < a.steps; ++t) { /* law: 3 */
    for (double x : a.u) { /* law: 3*n */
      s += x;
    }
  }
  b.u.insert(b.u.end(), a.u.begin(), a.u.end());
  for (double x : b.u) { /* law: 2*n */
    s += x;
  }
  auto h = half(m);
  if (h) {
    for (int i = 0; i < *h; ++i) { /* law: 2*m */
      s += i;
    }
  }
  return s > 1;
}
