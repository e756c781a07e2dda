// args: 0 | 1 | 7
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<int> v{1, 2, 3, 4, 5};
  for (int k = 0; k < n; k++) { /* law: n */
    for (int x : v) { /* law: 5*n */
      s += x;
    }
    for (int x : {1, 2, 3}) { /* law: 3*n */
      s += x;
    }
  }
  return s & 1;
}
