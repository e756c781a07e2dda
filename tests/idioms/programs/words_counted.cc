// args: 1 | 6 2 | 13 13 5
#include <iostream>
#include <string>
#include <vector>
int main(int argc, char **argv) {
  std::size_t longest = 0, words = argc - 1;
  std::vector<std::string> args(argv + 1, argv + argc);
  for (const auto &a : args) { /* law: parametric */
    longest = a.size() > longest ? a.size() : longest;
  }
  std::cout << longest << words << "\n";
}
