// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <map>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::map<int, int> m;
  for (int i = 0; i < n; i++) { /* law: n */
    m[i] = i * i;
  }
  int s = 0;
  for (auto &kv : m) { /* law: n */
    s += kv.second;
  }
  for (auto it = m.begin(); it != m.end(); ++it) { /* law: n */
    s += it->second;
  }
  return s & 1;
}
