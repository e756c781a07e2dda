// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <tuple>
#include <utility>
#include <cstdio>
static std::tuple<int, int> shape(int n) {
  return {n, n + 1};
}
static std::pair<int, int> range(int n) {
  return std::make_pair(1, n);
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  auto [r, c] = shape(n);
  long s = 0;
  for (int i = 0; i < r; ++i) { /* law: n */
    for (int j = 0; j < c; ++j) { /* law: n*(n+1) */
      s += i ^ j;
    }
  }
  auto [lo, hi] = range(n);
  for (int i = lo; i <= hi; ++i) { /* law: n */
    s += i;
  }
  std::printf("%ld\n", s);
}
