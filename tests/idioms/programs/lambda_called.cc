// args: 0 | 1 | 7 | 100
#include <cstdlib>
template <class F> int apply(int n, F f) {
  int s = 0;
  for (int i = 0; i < n; i++) { /* law: n */
    s += f(i);
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), count = 0;
  auto inner = [&](int i) {
    int s = 0;
    for (int j = 0; j < i; j++) { /* law: n*(n - 1)/2 */
      s += j;
      count++;
    }
    return s;
  };
  return (apply(n, inner) + count) & 1;
}
