// args: 0 2 | 4 3 | 7 1
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>
struct Shape {
  std::string name;
  explicit Shape(std::string s) : name(std::move(s)) {}
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Round : Shape {
  int parts;
  explicit Round(int k) : Shape("round"), parts(k) {}
  double area() const override {
    double s = 0;
    for (int i = 0; i < parts; i++) { /* law: 3*n + m + 3 */
      s += 1.0 / (i + 1);
    }
    return s;
  }
};
struct Polygon : Shape {
  std::vector<double> x;
  explicit Polygon(int k) : Shape("polygon"), x(k, 1.0) {}
  double area() const override {
    double s = 0;
    for (double d : x) { /* law: 3*n + 2*m */
      s += d;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  double s = 0;
  std::vector<std::unique_ptr<Shape>> owned;
  owned.reserve(3);
  owned.push_back(std::make_unique<Round>(n));
  owned.push_back(std::make_unique<Polygon>(2 * n));
  owned.emplace_back(std::make_unique<Round>(3));
  for (const auto &p : owned) { /* law: 3 */
    s += p->area();
  }
  Round round(m);
  Polygon polygon(m);
  const Shape *plain[] = {&round, &polygon};
  for (const Shape *p : plain) { /* law: 2 */
    s += p->area();
  }
  std::vector<Shape *> listed{owned[0].get(), &round};
  std::array<std::unique_ptr<Shape>, 2> fixed{std::make_unique<Round>(2 * n),
                                              std::make_unique<Polygon>(n)};
  for (std::size_t i = 0; i < fixed.size(); i++) { /* law: 2 */
    s += fixed[i]->area();
  }
  std::vector<Shape *> again;
  again.push_back(&polygon);
  for (auto it = again.begin(); it != again.end(); ++it) { /* law: 1 */
    s += (*it)->area();
  }
  std::printf("%g %zu\n", s, listed.size());
}
