// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <map>
#include <set>
class Events {
  std::multimap<int, int> q;

public:
  void at(int t, int id) {
    q.insert(std::make_pair(t, id));
  }
  long drain() {
    long s = 0;
    for (auto it = q.begin(); it != q.end(); ++it) { /* law: n */
      s += it->second;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Events e;
  for (int i = 0; i < n; ++i) { /* law: n */
    e.at(i % 5, i);
  }
  std::printf("%ld\n", e.drain());
}
