// args: 0 | 1 | 7 | 40
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <set>
#include <vector>
static long newest(const std::map<int, double> &m) {
  double s = 0;
  for (auto it = m.rbegin(); it != m.rend(); ++it) { /* law: n */
    s += it->second;
  }
  return s > 3;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::map<int, double> m;
  std::set<int> s;
  std::list<int> l;
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i) { /* law: n */
    m[i] = i;
    s.insert(2 * i);
    l.push_back(i);
  }
  long g = newest(m);
  for (auto it = s.end(); it != s.begin();) { /* law: n */
    g += *--it;
  }
  for (auto it = l.crbegin(); it != l.crend(); ++it) { /* law: n */
    g += *it;
  }
  for (auto it = v.rbegin(); it != v.rend(); ++it) { /* law: n */
    g += *it;
  }
  for (auto it = l.rbegin(); it != l.rend(); ++it) { /* law: parametric */
    if (*it % 5 == 3) {
      l.push_front(1);
    }
  }
  std::printf("%ld\n", g);
}
