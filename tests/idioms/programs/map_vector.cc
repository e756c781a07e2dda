// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <map>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::map<int, std::vector<int>> groups;
  for (int i = 0; i < n; ++i) { /* law: n */
    groups[i].push_back(i);
  }
  long s = 0;
  for (auto &g : groups) { /* law: n */
    s += g.first;
  }
  std::printf("%ld\n", s);
}
