// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <unordered_map>
#include <map>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::map<int, int> m;
  for (int i = 0; i < n; ++i) { /* law: n */
    m.try_emplace(i, i);
  }
  std::unordered_map<int, int> h;
  for (int i = 0; i < n; ++i) { /* law: n */
    h.insert_or_assign(3 * i, i);
  }
  int s = 0;
  for (auto it = m.begin(); it != m.end(); ++it) { /* law: n */
    s += it->second;
  }
  for (auto it = h.cbegin(); it != h.cend(); ++it) { /* law: n */
    s += it->second;
  }
  std::printf("%d\n", s);
}
