// args: 0 | 1 | 4 | 17
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
static void thin(std::map<int, int> &m, int d) {
  for (auto it = m.begin(); it != m.end();) { /* law: 2*n */
    if (it->second % d == 0) {
      it = m.erase(it);
    } else {
      ++it;
    }
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::list<int> l;
  std::map<int, int> m, o;
  std::unordered_map<int, int> u;
  std::set<int> s;
  for (int i = 0; i < n; ++i) { /* law: n */
    l.push_back(i);
    l.push_back(-i);
    m[i] = i * i;
    o[i] = i;
    u[i] = 2;
    s.insert(i);
  }
  for (auto it = l.begin(); it != l.end();) { /* law: 2*n */
    if (*it % 3 == 0) {
      it = l.erase(it);
    } else if (*it == 2) {
      it = l.erase(it);
    } else {
      ++it;
    }
  }
  thin(m, 2);
  thin(o, 3);
  for (auto it = u.begin(); it != u.end();) { /* law: n */
    it = u.erase(it);
  }
  while (!s.empty()) { /* law: n */
    s.erase(s.begin());
  }
  std::list<int> k(n, 4);
  for (auto it = k.begin(); it != k.end();) { /* law: parametric */
    if (*it > 2) {
      k.push_back(*it - 1);
      it = k.erase(it);
    } else {
      ++it;
    }
  }
  std::list<int> w(n, 4);
  int left = 0;
  for (auto it = w.begin(); it != w.end(); ++left) { /* law: parametric */
    it = w.erase(it);
    if (it != w.end()) {
      it = w.erase(it);
    }
  }
  std::multiset<int> b;
  for (int i = 0; i < n; ++i) { /* law: n */
    b.insert(i / 3);
  }
  for (auto it = b.begin(); it != b.end();) { /* law: parametric */
    int key = *it;
    ++it;
    if (it == b.end() || *it != key) {
      b.erase(key);
    }
  }
  std::printf("%zu %zu %d %zu\n", l.size(), m.size(), left, b.size());
}
