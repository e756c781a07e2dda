// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <map>
#include <unordered_map>
class Table {
  std::unordered_map<int, int> t;

public:
  void put(int k, int v) {
    t[k] = v;
  }
  size_t size() const {
    return t.size();
  }
  const std::unordered_map<int, int> &all() const {
    return t;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Table t;
  for (int i = 0; i < n; ++i) { /* law: n */
    t.put(i, i * i);
  }
  long s = 0;
  for (const auto &kv : t.all()) { /* law: n */
    s += kv.second;
  }
  for (size_t i = 0; i < t.size(); ++i) { /* law: n */
    s++;
  }
  std::printf("%ld\n", s);
}
