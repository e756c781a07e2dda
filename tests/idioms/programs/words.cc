// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <string>
#include <vector>
static std::vector<std::string> names;
static void generate(int n) {
  for (int i = 0; i < n; ++i) { /* law: n */
    names.push_back("name" + std::to_string(i));
  }
}
int main(int argc, char **argv) {
  generate(std::atoi(argv[1]));
  size_t longest = 0;
  for (const auto &s : names) { /* law: n */
    if (s.size() > longest) {
      longest = s.size();
    }
  }
  std::printf("%zu\n", longest);
}
