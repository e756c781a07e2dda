// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <set>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::set<int> m;
  for (int i = 0; i < n; i++) { /* law: n */
    m.insert(i % 5);
  }
  int s = 0;
  for (int x : m) { /* law: parametric */
    s += x;
  }
  return s & 1;
}
