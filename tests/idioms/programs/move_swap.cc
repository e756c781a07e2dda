// args: 2 3 | 9 4 | 40 0
#include <cstdlib>
#include <vector>
#include <utility>
#include <cstdio>
static std::vector<double> make(int n) {
  std::vector<double> r;
  for (int i = 0; i < n; i++) { /* law: n */
    r.emplace_back(i * 0.5);
  }
  return r;
}
struct Pair {
  std::vector<double> cur, next;
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  int steps = std::atoi(argv[2]);
  Pair p;
  p.cur = make(n);
  p.next.assign(n, 0.0);
  for (int t = 0; t < steps; ++t) { /* law: m */
    for (std::size_t i = 1; i + 1 < p.cur.size(); ++i) { /* law: m*(n-2) */
      p.next[i] = 0.5 * (p.cur[i - 1] + p.cur[i + 1]);
    }
    std::swap(p.cur, p.next);
  }
  std::printf("%g\n", p.cur[0]);
}
