// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
std::vector<int> squares(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; i++) { /* law: n */
    v.push_back(i * i);
  }
  return v;
}
std::vector<int> zeros(int n) { return std::vector<int>(n); }
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  auto v = squares(n);
  for (int x : v) { /* law: n */
    s += x;
  }
  for (int x : zeros(2 * n)) { /* law: 2*n */
    s += x;
  }
  return s & 1;
}
