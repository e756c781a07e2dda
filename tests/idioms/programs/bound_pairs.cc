// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <tuple>
#include <utility>
static std::pair<int, int> shape(int n, int m) { return {n + 1, m}; }
static std::tuple<int, int, long> extent(int n) { return {n, 2 * n, 3L * n}; }
struct Range { int low, high; };
static Range range(int m) { return {1, m}; }
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), s = 0;
  auto [rows, columns] = shape(n, m);
  for (int i = 0; i < rows; ++i) { /* law: n + 1 */
    for (int j = 0; j < columns; ++j) { /* law: (n + 1)*m */
      s += i ^ j;
    }
  }
  const auto [a, b, c] = extent(n);
  for (int i = 0; i < b; ++i) { /* law: 2*n */
    s += a;
  }
  for (long i = a; i < c; ++i) { /* law: 2*n */
    s += 1;
  }
  auto [low, high] = range(m);
  for (int i = low; i <= high; ++i) { /* law: m */
    s += i;
  }
  return s & 1;
}
