// args: 0 | 1 | 7 | 100
#include <algorithm>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> v(n);
  for (int i = 0; i < n; i++) { /* law: n */
    v[i] = (i * 7919) % 101;
  }
  std::sort(v.begin(), v.end());
  int s = 0;
  for (int x : v) { /* law: n */
    s += x;
  }
  for (int k = 0; k < n; k++) { /* law: n */
    s += std::find(v.begin(), v.end(), k) != v.end();
    s += std::binary_search(v.begin(), v.end(), k);
  }
  return s & 1;
}
