// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <iostream>
#include <string>
static int parse(const char *text) { return std::stoi(text); }
int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " n m" << std::endl;
    return EXIT_FAILURE;
  }
  const std::string first(argv[1]);
  const long n = std::stol(first);
  const int m = parse(argv[2]);
  double s = 0;
  for (long i = 0; i < n; ++i) { /* law: n */
    for (int j = 0; j < m; ++j) { /* law: n*m */
      s += i * j;
    }
  }
  std::cout << s << '\n';
  return 0;
}
