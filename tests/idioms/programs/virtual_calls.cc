// args: 0 | 1 | 7 | 100
#include <cstdlib>
struct Shape {
  virtual double area(int n) const = 0;
  virtual ~Shape() {}
};
struct Square : Shape {
  double area(int n) const override {
    double s = 0;
    for (int i = 0; i < n; i++) { /* law: n */
      s += 1.5;
    }
    return s;
  }
};
struct Disc : Shape {
  double area(int n) const override {
    double s = 0;
    for (int i = 0; i < 2 * n; i++) { /* law: 2*n */
      s += 0.5;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Square a;
  Disc b;
  Shape *p = &a, *q = &b;
  return p->area(n) + q->area(n) > 3;
}
