// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <map>
#include <set>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::map<long, int> m;
  for (long i = 0; i < n; ++i) { /* law: n */
    m.insert({i, (int)i});
  }
  std::set<int> odd;
  for (int i = 0; i < n; ++i) { /* law: n */
    odd.insert(2 * i + 1);
  }
  long s = 0;
  for (const auto &p : m) { /* law: n */
    s += p.first;
  }
  for (int o : odd) { /* law: n */
    s += o;
  }
  std::printf("%ld\n", s);
}
