// args: 0 | 1 | 7 | 100
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> v(n), w(n);
  std::iota(v.begin(), v.end(), 0);
  std::fill(w.begin(), w.end(), 3);
  std::transform(v.begin(), v.end(), w.begin(), [](int x) { return 2 * x; });
  int s = std::accumulate(w.begin(), w.end(), 0);
  std::for_each(v.begin(), v.end(), [&](int x) {
    for (int k = 0; k < 3; k++) { /* law: 3*n */
      s += x;
    }
  });
  s += std::count_if(v.begin(), v.end(), [](int x) { return x % 2; });
  s += std::inner_product(v.begin(), v.end(), w.begin(), 0);
  for (int i = 0; i < n; i++) { /* law: n */
    s += v[i];
  }
  return s & 1;
}
