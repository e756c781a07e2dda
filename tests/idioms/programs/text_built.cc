// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <sstream>
#include <string>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::string text;
  for (int i = 0; i < n; ++i) { /* law: n */
    text += "ab";
    text.push_back('c');
  }
  int spaces = 0;
  for (std::size_t i = 0; i < text.size(); ++i) { /* law: 3*n */
    spaces += text[i] == 'c';
  }
  std::ostringstream out;
  for (int i = 0; i < n; ++i) { /* law: n */
    out << i << ' ';
  }
  const std::string all = out.str();
  for (char c : all) { /* law: parametric */
    spaces += c == ' ';
  }
  return spaces & 1;
}
