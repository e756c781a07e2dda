// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <unordered_map>
#include <cstdio>
static std::unordered_map<int, long> memo;
static void build(int n) {
  for (int i = 0; i < n; ++i) { /* law: n */
    memo[i] = (long)i * i;
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  build(n);
  long s = 0;
  for (auto &e : memo) { /* law: n */
    s += e.second;
  }
  std::printf("%ld\n", s);
}
