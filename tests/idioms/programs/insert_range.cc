// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> a(n, 1), b(10, 2);
  a.insert(a.end(), b.begin(), b.end());
  long s = 0;
  for (int x : a) { /* law: n+10 */
    s += x;
  }
  a.erase(a.begin());
  for (int x : a) { /* law: n+9 */
    s += x;
  }
  a.resize(a.size() * 2);
  for (size_t i = 0; i < a.size(); ++i) { /* law: 2*n+18 */
    s += a[i];
  }
  std::printf("%ld\n", s);
}
