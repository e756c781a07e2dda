// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  std::vector<int> v(n);
  int s = 0;
  for (int x : v) { /* law: n */
    s += x;
  }
  for (auto it = v.begin(); it != v.end(); ++it) { /* law: n */
    s += *it;
  }
  for (auto it = v.rbegin(); it != v.rend(); ++it) { /* law: n */
    s -= *it;
  }
  return s & 1;
}
