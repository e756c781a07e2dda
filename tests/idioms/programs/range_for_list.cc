// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <initializer_list>
#include <vector>
static int sum(std::initializer_list<int> values) {
  int s = 0;
  for (int v : values) { /* law: 5*n + 3 */
    s += v;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  for (int size : {1, 2, 4, 8}) { /* law: 4 */
    for (int i = 0; i < n; ++i) { /* law: 4*n */
      s += size * i;
    }
  }
  for (int i = 0; i < n; ++i) { /* law: n */
    s += sum({i, 1, 2, 3, 4});
  }
  s += sum({1, 2, 3});
  const int table[] = {3, 1, 4, 1, 5};
  for (int t : table) { /* law: 5 */
    s += t;
  }
  return s & 1;
}
