// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <string>
#include <vector>
#include <cstdio>
struct Report {
  std::vector<std::string> lines;
  void add(const std::string &l) {
    lines.push_back(l);
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Report r;
  for (int i = 0; i < n; ++i) { /* law: n */
    r.add("row");
  }
  std::size_t len = 0;
  for (const std::string &l : r.lines) { /* law: n */
    len += l.size();
  }
  std::printf("%zu\n", len);
}
