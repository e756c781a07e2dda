// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <utility>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<int> a(n), b(2 * n);
  std::vector<int> c = a;
  for (int x : c) { /* law: n */
    s += x;
  }
  std::vector<int> d = std::move(b);
  for (int x : d) { /* law: 2*n */
    s += x;
  }
  std::swap(c, d);
  for (int x : c) { /* law: 2*n */
    s += x;
  }
  a = c;
  for (int x : a) { /* law: 2*n */
    s += x;
  }
  d.swap(a);
  for (int x : a) { /* law: n */
    s += x;
  }
  c = std::move(a);
  for (int x : c) { /* law: n */
    s += x;
  }
  return s & 1;
}
