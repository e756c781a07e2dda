// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
static std::vector<int> &cache() {
  static std::vector<int> c;
  return c;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  for (int i = 0; i < n; ++i) { /* law: n */
    cache().push_back(i);
  }
  int s = 0;
  for (int c : cache()) { /* law: parametric */
    s += c;
  }
  std::printf("%d\n", s);
}
