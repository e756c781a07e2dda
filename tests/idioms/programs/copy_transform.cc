// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
#include <algorithm>
#include <iterator>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> a(n), b;
  std::transform(a.begin(), a.end(), std::back_inserter(b), [](int x) { return x + 1; });
  std::vector<int> c(b.rbegin(), b.rend());
  long s = 0;
  for (int x : b) { /* law: n */
    s += x;
  }
  for (int x : c) { /* law: n */
    s += x;
  }
  std::printf("%ld\n", s);
}
