// args: 0 3 | 5 1 | 8 6
#include <cstdlib>
#include <cstdio>
#include <vector>
class Simulation {
  struct State {
    std::vector<double> pos, vel;
  };
  State state_;
  int steps_;

public:
  Simulation(int n, int steps) : steps_(steps) {
    state_.pos.resize(n);
    state_.vel.resize(n, 1.0);
  }
  void step() {
    auto &s = state_;
    for (size_t i = 0, n = s.pos.size(); i < n; ++i) { /* law: n*m */
      s.pos[i] += s.vel[i];
    }
  }
  double run() {
    for (int t = 0; t < steps_; ++t) { /* law: m */
      step();
    }
    double e = 0;
    for (auto v : state_.vel) { /* law: n */
      e += v * v;
    }
    return e;
  }
};
int main(int argc, char **argv) {
  Simulation s(std::atoi(argv[1]), std::atoi(argv[2]));
  std::printf("%g\n", s.run());
}
