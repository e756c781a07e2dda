// args: 0 | 1 | 7 | 100
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<int> v(2 * n);
  std::fill(v.begin(), v.end(), 1);
  std::generate(v.begin(), v.end(), [&s] { return s++; });
  std::reverse(v.begin(), v.end());
  for (int i = 0, e = std::min<int>(n, v.size()); i < e; ++i) { /* law: n */
    s += v[i];
  }
  for (int i = std::max(0, n - 5); i < n; ++i) { /* law: Min(5, n) */
    s += v[i];
  }
  int k = std::clamp(n, 2, 50);
  for (int i = 0; i < k; ++i) { /* law: Min(Max(2, n), 50) */
    s += i;
  }
  s += std::count_if(v.begin(), v.end(), [](int x) { return x % 2 == 0; });
  return s & 1;
}
