// args: 0 | 1 | 7 | 100
#include <array>
#include <cstdlib>
#include <string>
#include <vector>
int main(int argc, char **argv) {
  unsigned n = std::atoi(argv[1]);
  int s = 0;
  std::array<std::vector<int>, 2> buffers{std::vector<int>(n), std::vector<int>(2 * n)};
  for (auto &b : buffers) { /* law: 2 */
    b.push_back(1);
  }
  std::vector<int> a(n + 4);
  for (auto it = a.begin() + 2; it < a.end() - 2; ++it) { /* law: n */
    s += *it;
  }
  for (auto it = a.cbegin(), end = a.cend(); it != end; it += 1) { /* law: n + 4 */
    s += *it;
  }
  for (std::size_t i = a.size(); i-- > 0;) { /* law: n + 4 */
    s += a[i];
  }
  std::string line(n, '-');
  for (auto c = line.begin(); c != line.end(); ++c) { /* law: n */
    s += *c;
  }
  const int *p = a.data();
  const int *const last = p + a.size();
  while (p != last) { /* law: n + 4 */
    s += *p++;
  }
  return s & 1;
}
