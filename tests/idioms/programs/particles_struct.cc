// args: 0 3 | 1 1 | 7 5 | 10 0
#include <array>
#include <cstdlib>
#include <vector>
struct Particle {
  std::array<double, 3> position;
  std::array<double, 3> velocity;
};
struct System {
  std::vector<Particle> particles;
  int steps;
  explicit System(int n, int s) : particles(n), steps(s) {}
  void move(double dt) {
    for (auto &p : particles) { /* law: n*m */
      for (std::size_t d = 0; d < p.position.size(); ++d) { /* law: 3*n*m */
        p.position[d] += dt * p.velocity[d];
      }
    }
  }
  void run() {
    for (int t = 0; t < steps; ++t) { /* law: m */
      move(0.1);
    }
  }
};
int main(int argc, char **argv) {
  System s(std::atoi(argv[1]), std::atoi(argv[2]));
  s.run();
  return s.particles.empty();
}
