// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <numeric>
#include <algorithm>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  std::vector<int> w;
  w.reserve(n);
  std::copy(v.begin(), v.end(), std::back_inserter(w));
  long s = 0;
  for (std::size_t i = 0, e = w.size(); i != e; ++i) { /* law: n */
    s += w[i];
  }
  std::for_each(v.begin(), v.end(), [&](int x) {
    for (int k = 0; k < 4; ++k) { /* law: 4*n */
      s += x;
    }
  });
  std::printf("%ld\n", s);
}
