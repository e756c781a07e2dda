// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <vector>
static std::list<int> make(int n) { std::list<int> l; for (int i = 0; i < n; i++) {
    l.push_front(i);
  }
  return l; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  std::list<int> a = make(n), b(a);
  a.splice(a.end(), b);
  for (int x : a) {
    s += x;
  }
  for (int x : b) {
    s += x;
  }
  a.sort();
  a.unique();
  for (int x : a) {
    s += x;
  }
  std::list<int> c = std::move(a);
  c.remove_if([](int x) { return x % 2; });
  for (int x : c) {
    s += x;
  }
  c.resize(n + 3);
  for (int x : c) {
    s += x;
  }
  std::multiset<int> m;
  for (int i = 0; i < n; i++) {
    m.insert(i / 3);
  }
  for (int x : m) {
    s += x;
  }
  m.erase(0);
  for (int x : m) {
    s += x;
  }
  std::map<int, int> t;
  for (int i = 0; i < n; i++) {
    t[i % 4] += i;
  }
  std::map<int, int> u(t);
  t.clear();
  for (auto &k : t) {
    s += k.second;
  }
  for (auto &k : u) {
    s += k.second;
  }
  std::deque<int> d(n, 2);
  d.push_front(1);
  d.insert(d.begin() + 1, 7);
  for (int x : d) {
    s += x;
  }
  d.erase(d.begin());
  for (size_t i = 0; i < d.size(); i++) {
    s += d[i];
  }
  return s & 1;
}
