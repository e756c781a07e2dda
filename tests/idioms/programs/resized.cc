// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<int> v;
  v.resize(n);
  for (int x : v) { /* law: n */
    s += x;
  }
  v.resize(3 * n, 7);
  for (int x : v) { /* law: 3*n */
    s += x;
  }
  v.assign(n + 2, 1);
  for (int x : v) { /* law: n + 2 */
    s += x;
  }
  v.clear();
  for (int x : v) { /* law: 0 */
    s += x;
  }
  v.push_back(3);
  v.emplace_back(4);
  v.pop_back();
  for (int x : v) { /* law: 1 */
    s += x;
  }
  return s & 1;
}
