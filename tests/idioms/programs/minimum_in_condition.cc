// args: 0 | 1 | 7 | 100 | 250
#include <algorithm>
#include <cstdlib>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  for (int i = 0; i < std::min(n, 100); i++) { /* law: Min(n, 100) */
    s += i;
  }
  for (int i = 0; i < std::max(n, 10); i++) { /* law: Max(n, 10) */
    s -= i;
  }
  for (int i = 0; i < std::clamp(n, 5, 50); i++) { /* law: Min(50, Max(n, 5)) */
    s ^= i;
  }
  for (int i = 0; i < std::abs(n - 10); i++) { /* law: Max(n - 10, 10 - n) */
    s ^= i;
  }
  return s & 1;
}
