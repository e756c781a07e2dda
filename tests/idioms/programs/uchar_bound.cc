// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdint>
#include <vector>
#include <cstdio>
static int paint(const std::uint8_t *limit, std::vector<int> &px) {
  int s = 0;
  for (int i = 0; i < *limit; ++i) { /* law: 200 */
    s += px[i];
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::uint8_t lim = 200;
  std::vector<int> px(256 + n);
  int s = paint(&lim, px);
  for (const int &p : px) { /* law: n+256 */
    s += p;
  }
  std::printf("%d\n", s);
}
