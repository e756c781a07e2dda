// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <iostream>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  for (int i = 0; i < n; i++) { /* law: n */
    std::cout << i << ' ' << i * 0.5 << "\n";
  }
  for (int i = 0; i < n; ++i) { /* law: n */
    std::cout << "line " << i << std::endl;
  }
  return 0;
}
