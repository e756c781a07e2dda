// args: 1 | 7 | 30
#include <cstdlib>
#include <vector>
#include <cstdio>
struct Shape {
  int n;
  Shape(int n_) : n(n_) {
  }
  virtual ~Shape() {
  }
  virtual double area() const = 0;
};
struct Poly : Shape {
  std::vector<double> pts;
  Poly(int k) : Shape(k), pts(2 * k, 0.5) {
  }
  double area() const override {
    double a = 0;
    for (int i = 0; i + 1 < n; i++) { /* law: n-1 */
      a += pts[2 * i] * pts[2 * i + 3];
    }
    for (double p : pts) { /* law: 2*n */
      a += p;
    }
    return a;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Poly p(n);
  Shape *s = &p;
  std::printf("%g\n", s->area());
}
