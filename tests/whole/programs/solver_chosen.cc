/* jacobi 6 2: n=6 steps=2 calls_Jacobi_step=1 calls_Sor_step=0 | sor 9 3: n=9 steps=3 calls_Jacobi_step=0 calls_Sor_step=1 */
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>
struct Solver {
  virtual ~Solver() = default;
  virtual double step(std::vector<double> &u) = 0;
};
struct Jacobi : Solver {
  std::vector<double> next;
  explicit Jacobi(std::size_t n) : next(n) {}
  double step(std::vector<double> &u) override {
    for (std::size_t i = 1; i + 1 < u.size(); i++) { /* calls_Jacobi_step*steps*(n-2) */
      next[i] = 0.5 * (u[i - 1] + u[i + 1]);
    }
    for (std::size_t i = 1; i + 1 < u.size(); i++) { /* calls_Jacobi_step*steps*(n-2) */
      u[i] = next[i];
    }
    return u[1];
  }
};
struct Sor : Solver {
  double step(std::vector<double> &u) override {
    for (std::size_t i = 1; i + 1 < u.size(); i++) { /* calls_Sor_step*steps*(n-2) */
      u[i] += 1.5 * (0.5 * (u[i - 1] + u[i + 1]) - u[i]);
    }
    return u[1];
  }
};
int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s jacobi|sor N STEPS\n", argv[0]);
    return 1;
  }
  int n = std::stoi(argv[2]), steps = std::stoi(argv[3]);
  std::vector<double> u(n, 0.0);
  u[0] = 1;
  std::unique_ptr<Solver> solver;
  if (std::strcmp(argv[1], "jacobi") == 0) {
    solver = std::make_unique<Jacobi>(n);
  } else {
    solver = std::make_unique<Sor>();
  }
  double s = 0;
  for (int k = 0; k < steps; k++) { /* steps */
    s += solver->step(u);
  }
  std::printf("%g\n", s);
}
