// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
std::vector<double> a, b;
void init(int n) {
  a.resize(n);
  b.resize(2 * n);
  for (size_t i = 0; i < b.size(); i++) { /* law: 2*n */
    b[i] = i;
  }
}
double work() {
  double s = 0;
  for (size_t i = 0; i < a.size(); i++) { /* law: n */
    for (size_t j = 0; j < b.size(); j++) { /* law: 2*n**2 */
      s += a[i] * b[j];
    }
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  init(n);
  std::printf("%g\n", work());
}
