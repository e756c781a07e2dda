// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
static int total(std::vector<int> v) {
  int s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) { /* law: 2*n */
    s += v[i];
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> a(n);
  return total(a) + total(std::vector<int>(n, 4)) > 3;
}
