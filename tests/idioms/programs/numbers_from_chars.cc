// args: 4 3 7 | 10 1 0 | 0 5 2
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
int main(int argc, char **argv) {
  int n = 0;
  auto [end, error] = std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), n);
  if (error != std::errc() || *end) {
    return 1;
  }
  const std::string second = argv[2];
  long m = 0;
  std::from_chars(second.data(), second.data() + second.size(), m);
  std::string_view third = argv[3];
  std::size_t k = 0;
  std::from_chars(third.data(), third.data() + third.size(), k);
  int s = 0;
  for (int i = 0; i < n; i++) { /* law: n */
    s += i;
  }
  for (int i = 0; i < m; i++) { /* law: m */
    s += i;
  }
  for (std::size_t i = 0; i < k; i++) { /* law: k */
    s += i;
  }
  std::string_view part = argv[3];
  part.remove_prefix(0);
  long p = 0;
  std::from_chars(part.data(), part.data() + 1, p);
  for (int i = 0; i < p; i++) { /* law: parametric */
    s += i;
  }
  std::printf("%d\n", s);
}
