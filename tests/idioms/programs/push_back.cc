// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> v;
  for (int i = 0; i < n; i++) { /* law: n */
    v.push_back(i);
  }
  long s = 0;
  for (int x : v) { /* law: n */
    s += x;
  }
  return s & 1;
}
