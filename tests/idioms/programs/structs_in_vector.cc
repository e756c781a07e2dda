// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
struct Particle {
  double x, y, z;
  int id;
};
struct World {
  std::vector<Particle> ps;
  void add(int i) { ps.push_back({i * 1.0, 0, 0, i}); }
  void step() {
    for (auto &p : ps) { /* law: 3*n */
      p.x += p.y;
    }
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  World w;
  for (int i = 0; i < n; i++) { /* law: n */
    w.add(i);
  }
  for (int t = 0; t < 3; t++) { /* law: 3 */
    w.step();
  }
  return w.ps.size() & 1;
}
