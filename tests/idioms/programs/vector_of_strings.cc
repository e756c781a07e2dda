// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <string>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<std::string> names;
  for (int i = 0; i < n; i++) { /* law: n */
    names.push_back("item" + std::to_string(i));
  }
  for (const auto &name : names) { /* law: n */
    s += name.size();
  }
  return s & 1;
}
