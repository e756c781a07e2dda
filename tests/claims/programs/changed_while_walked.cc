// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
#include <list>
#include <set>
#include <vector>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  std::list<int> l(n, 1);
  for (int x : l) {
    if (l.size() < 40) {
      l.push_back(x);
    }
  }
  for (auto it = l.begin(); it != l.end();) {
    if (*it == 1) {
      it = l.erase(it);
    } else {
      ++it;
    }
  }
  l.assign(n, 4);
  auto it = l.begin();
  l.push_front(2);
  for (; it != l.end(); ++it) {
    s += *it;
  }
  std::vector<int> v(n, 1);
  for (size_t i = 0; i < v.size(); i++) {
    if (v.size() < 50) {
      v.push_back(1);
    }
  }
  for (auto p = v.begin(); p != v.end();) {
    p = v.erase(p);
  }
  std::set<int> t;
  for (int i = 0; i < n; i++) {
    t.insert(i);
    t.insert(i / 2);
  }
  for (auto p = t.begin(); p != t.end();) {
    p = t.erase(p);
  }
  l.assign(n, 4);
  auto q = l.begin();
  if (n > 2) {
    ++q;
  }
  for (; q != l.end(); ++q) {
    s += *q;
  }
  return s & 1;
}
