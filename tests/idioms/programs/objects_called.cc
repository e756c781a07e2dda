// args: 0 | 4 | 7
#include <cstdio>
#include <cstdlib>
#include <functional>
static void each(int n, const std::function<void(int)> &f) {
  for (int i = 0; i < n; ++i) { /* law: 2*n */
    f(i);
  }
}
struct Kernel {
  virtual ~Kernel() = default;
  virtual double eval(int i) = 0;
};
struct Line : Kernel {
  int calls = 0;
  double eval(int i) override {
    calls++;
    return i;
  }
};
struct Triangle : Kernel {
  double sum = 0;
  double eval(int i) override {
    for (int k = 0; k < i; ++k) { /* law: n*(2*n - 1) */
      sum += k;
    }
    return sum;
  }
};
static double total(Kernel &k, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) { /* law: 3*n */
    s += k.eval(i);
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  long s = 0;
  each(n, [&](int i) {
    for (int j = 0; j < 3; ++j) { /* law: 3*n */
      s += j * i;
    }
  });
  each(n, [&](int i) {
    for (int j = 0; j <= i; ++j) { /* law: n*(n + 1)/2 */
      s -= j * i;
    }
  });
  Line line;
  Triangle triangle;
  double t = total(line, n) + total(triangle, 2 * n);
  std::printf("%ld %g\n", s, t);
}
