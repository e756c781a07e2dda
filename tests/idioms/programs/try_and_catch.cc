// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <stdexcept>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<int> v(3);
  for (int i = 0; i < n; i++) { /* law: n */
    try {
      s += v.at(i);
    } catch (const std::out_of_range &e) {
      s++;
    }
  }
  return s & 1;
}
