// args: 1 2 | 4 0 | 10 7
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct Impl {
  int steps;
  std::vector<double> u;
  Impl(int n, int s) : steps(s), u(n, 1.0) {}
};
struct Simulation {
  std::unique_ptr<Impl> impl_;
  Simulation(int n, int steps): impl_(std::make_unique<Impl>(n, steps)) {}
  void run() {
  for (int s = 0; s < impl_->steps; ++s) { /* law: 2*m */
    for (std::size_t i = 0; i < impl_->u.size(); ++i) { /* law: 2*n*m */
      impl_->u[i] += 1;
    }
  }
  }
};
int main(int argc, char **argv) {
  Simulation sim(std::atoi(argv[1]), std::atoi(argv[2]));
  sim.run(); sim.run();
}
