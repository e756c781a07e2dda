// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <memory>
#include <vector>
struct Shape {
  virtual ~Shape() = default;
  virtual double area(int n) const = 0;
};
struct Square : Shape {
  double area(int n) const override {
    double s = 0;
    for (int i = 0; i < n; ++i) { /* law: n*m */
      s += i;
    }
    return s;
  }
};
static double total(const std::vector<std::unique_ptr<Shape>> &shapes, int n) {
  double s = 0;
  for (const auto &shape : shapes) { /* law: m */
    s += shape->area(n);
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < m; ++i) { /* law: m */
    shapes.push_back(std::make_unique<Square>());
  }
  return total(shapes, n) > 4;
}
