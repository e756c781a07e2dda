// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
static std::vector<int> table;
static void fill(int n) {
  for (int i = 0; i < n; i++) { /* law: n */
    table.push_back(i * i);
  }
}
static long total() {
  long t = 0;
  for (int v : table) { /* law: n */
    t += v;
  }
  return t;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  fill(n);
  std::printf("%ld\n", total());
}
