// args: 2 3 | 5 1 | 8 6
#include <cstdlib>
#include <vector>
#include <cstdio>
struct Particles {
  std::vector<double> x, v;
  int n;
  Particles(int count) : x(count), v(count), n(count) {
  }
  void step(double dt) {
    for (size_t i = 0; i < x.size(); ++i) { /* law: n*m */
      x[i] += dt * v[i];
    }
  }
  void kick(double f) {
    for (auto &w : v) { /* law: n*m */
      w += f;
    }
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  int steps = std::atoi(argv[2]);
  Particles p(n);
  for (int s = 0; s < steps; s++) { /* law: m */
    p.kick(0.5);
    p.step(0.01);
  }
  std::printf("%g\n", p.x[0]);
}
