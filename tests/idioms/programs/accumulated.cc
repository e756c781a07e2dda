// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <numeric>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<long> v(n);
  std::iota(v.begin(), v.end(), 0);
  long s = std::accumulate(v.begin(), v.end(), 0L, [](long a, long b) {
    for (int k = 0; k < 2; k++) { /* law: 2*n */
      a += k;
    }
    return a + b;
  });
  std::vector<long> w;
  w.reserve(v.size());
  for (long x : v) { /* law: n */
    w.push_back(x + s);
  }
  for (auto it = w.rbegin(); it != w.rend(); ++it) { /* law: n */
    s += *it;
  }
  return s & 1;
}
