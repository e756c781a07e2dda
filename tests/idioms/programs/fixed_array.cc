// args: 0 | 1 | 7 | 100
#include <array>
#include <cstdlib>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::array<int, 12> a{};
  int s = 0;
  for (int k = 0; k < n; k++) { /* law: n */
    for (int &x : a) { /* law: 12*n */
      x += k;
    }
    for (std::size_t i = 0; i < a.size(); i++) { /* law: 12*n */
      s += a[i];
    }
  }
  return s & 1;
}
