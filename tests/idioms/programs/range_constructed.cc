// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<int> a(n);
  std::vector<int> b(a.begin(), a.end());
  for (int x : b) { /* law: n */
    s += x;
  }
  a.insert(a.end(), b.begin(), b.end());
  for (int x : a) { /* law: 2*n */
    s += x;
  }
  return s & 1;
}
