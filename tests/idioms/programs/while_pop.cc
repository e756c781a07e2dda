// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
int main(int argc, char **argv) {
  unsigned n = std::strtoul(argv[1], nullptr, 10);
  std::vector<unsigned> v(n, 7u);
  unsigned s = 0;
  while (!v.empty()) { /* law: n */
    s += v.back();
    v.pop_back();
  }
  std::printf("%u\n", s);
}
