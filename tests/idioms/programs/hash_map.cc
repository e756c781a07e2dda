// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <unordered_map>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::unordered_map<int, int> m;
  for (int i = 0; i < n; i++) { /* law: n */
    m[i * 7 % 13]++;
  }
  int s = 0;
  for (auto &kv : m) { /* law: parametric */
    s += kv.second;
  }
  for (int i = 0; i < n; i++) { /* law: n */
    s += m.count(i) + (m.find(i) != m.end());
  }
  return s & 1;
}
