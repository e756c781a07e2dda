// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<long> v;
  v.reserve(n);
  for (int i = 0; i < n; i++) { /* law: n */
    v.emplace_back(i);
    v.push_back(2 * i);
  }
  for (auto x : v) { /* law: 2*n */
    s += x;
  }
  while (!v.empty()) { /* law: 2*n */
    s += v.back();
    v.pop_back();
  }
  return s & 1;
}
