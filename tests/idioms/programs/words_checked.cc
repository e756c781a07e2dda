// args: 1 3 | 6 2 | 13 13
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
static int table(const std::vector<std::string> &words) {
  const int rows = std::stoi(words[0]);
  const int columns = std::stoi(words.at(1));
  int s = 0;
  for (int r = 0; r < rows; ++r) { /* law: n */
    for (int c = 0; c < columns; ++c) { /* law: n*m */
      s += r ^ c;
    }
  }
  return s;
}
int main(int argc, char **argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() != 2) {
    std::cerr << "usage: table ROWS COLUMNS\n";
    return EXIT_FAILURE;
  }
  int s = table(args);
  for (const auto &a : args) { /* law: 2 */
    s += a.size();
  }
  std::cout << s << "\n";
}
