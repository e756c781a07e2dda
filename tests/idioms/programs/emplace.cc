// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <unordered_map>
#include <map>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::unordered_map<int, int> h;
  std::map<int, double> m;
  for (int i = 0; i < n; i++) { /* law: n */
    h.emplace(i, 2 * i);
  }
  for (int i = 0; i < n; i++) { /* law: n */
    m.emplace(i, 0.5 * i);
  }
  long s = 0;
  for (auto &kv : h) { /* law: n */
    s += kv.second;
  }
  for (const auto &[k, v] : m) { /* law: n */
    s += k;
  }
  std::printf("%ld\n", s);
}
