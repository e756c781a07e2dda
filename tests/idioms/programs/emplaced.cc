// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>
struct Point {
  Point(int a, int b) : x(a), y(b) {}
  int x, y;
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<Point> points;
  points.reserve(n);
  for (int i = 0; i < n; ++i) { /* law: n */
    points.emplace_back(i, 2 * i);
  }
  for (const Point &p : points) { /* law: n */
    s += p.x * p.y;
  }
  std::vector<std::pair<int, std::string>> named;
  for (const auto &p : points) { /* law: n */
    named.emplace_back(p.x, "point");
  }
  for (const auto &[id, name] : named) { /* law: n */
    s += id + static_cast<int>(name.size());
  }
  return s & 1;
}
