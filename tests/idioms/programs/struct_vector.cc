// args: 1 | 6 | 30
#include <cstdlib>
#include <vector>
#include <cstdio>
struct Body {
  double x, y, z, m;
};
class World {
public:
  std::vector<Body> bodies;
  void populate(int n) {
    bodies.reserve(n);
    for (int i = 0; i < n; ++i) { /* law: n */
      bodies.push_back(Body{1.0 * i, 2.0 * i, 0.0, 1.0});
    }
  }
  double energy() const {
    double e = 0;
    for (size_t i = 0; i < bodies.size(); ++i) { /* law: n */
      for (size_t j = i + 1; j < bodies.size(); ++j) { /* law: n*(n-1)/2 */
        e += bodies[i].m * bodies[j].m;
      }
    }
    return e;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  World w;
  w.populate(n);
  std::printf("%g\n", w.energy());
}
