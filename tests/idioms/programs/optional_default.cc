// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <optional>
#include <string>
#include <cstdio>
static std::optional<int> parse(const char *s) {
  if (!s) {
    return std::nullopt;
  }
  return std::stoi(s);
}
int main(int argc, char **argv) {
  int n = parse(argv[1]).value_or(10);
  long s = 0;
  for (int i = 0; i < n; ++i) { /* law: n */
    s += i;
  }
  std::printf("%ld\n", s);
}
