// args: 3 5 | 10 2 | 0 4 | 6 6
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <vector>
struct F { int n; int operator()(int k) const { int s = 0; for (int i = 0; i < n + k; i++) { /* law: parametric */
 s++; } return s; } };
static int run(const std::function<int(int)> &f, int k) { return f(k); }
struct Less { bool operator()(int a, int b) const { int s = 0; for (int i = 0; i < a % 3; i++) { /* law: parametric */
 s++; } return a + s * 0 < b; } };
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), t = 0;
  std::function<int(int)> f = F{n}, g = F{m};
  t += run(f, 1) + run(g, 2);
  f = g;
  t += f(3);
  std::function<int(int)> h = [&](int k) { int s = 0; for (int i = 0; i < n; i++) { /* law: parametric */
    s += k; } n++; return s; };
  for (int i = 0; i < m; i++) { /* law: m */
    t += h(i);
    if (n > 30) n = 0;
  }
  std::map<int, int, Less> mm;
  for (int i = 0; i < m; i++) { /* law: m */
    mm[i * 7 % 5]++;
  }
  std::vector<int> v(m, 3);
  std::sort(v.begin(), v.end(), Less());
  t += Less()(4, 5);
  return t & 1;
}
