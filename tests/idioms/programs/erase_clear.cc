// args: 0 3 | 5 1 | 8 6
#include <cstdlib>
#include <vector>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  int rounds = std::atoi(argv[2]);
  std::vector<int> work;
  long s = 0;
  for (int r = 0; r < rounds; ++r) { /* law: m */
    work.clear();
    for (int i = 0; i < n; ++i) { /* law: m*n */
      work.push_back(r + i);
    }
    for (int x : work) { /* law: m*n */
      s += x;
    }
  }
  std::printf("%ld\n", s);
}
