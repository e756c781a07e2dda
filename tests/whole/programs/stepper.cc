/* -x 6 -y 5 -t 3: nx=6 ny=5 steps=3 options=3 | -x 9 -t 2: nx=9 ny=64 steps=2 options=2 */
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>
struct Options {
  int nx = 64, ny = 64, steps = 10;
  bool verbose = false;
};
static Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; ++i) { /* options */
    std::string a = argv[i];
    if (a == "-v") {
      o.verbose = true;
      continue;
    }
    if (i + 1 >= argc) std::exit(2);
    if (a == "-x") o.nx = std::stoi(argv[++i]);
    else if (a == "-y") o.ny = std::stoi(argv[++i]);
    else if (a == "-t") o.steps = std::stoi(argv[++i]);
    else std::exit(2);
  }
  return o;
}
class Grid {
public:
  Grid(int nx, int ny) : nx_(nx), ny_(ny), cells_(static_cast<size_t>(nx) * ny, 0.0) {}
  double &operator()(int i, int j) { return cells_[static_cast<size_t>(i) * ny_ + j]; }
  double operator()(int i, int j) const { return cells_[static_cast<size_t>(i) * ny_ + j]; }
  int nx() const { return nx_; }
  int ny() const { return ny_; }
  auto begin() const { return cells_.begin(); }
  auto end() const { return cells_.end(); }
private:
  int nx_, ny_;
  std::vector<double> cells_;
};
class Stepper {
public:
  virtual ~Stepper() = default;
  virtual double step(const Grid &in, Grid &out) = 0;
};
class Explicit : public Stepper {
public:
  explicit Explicit(double alpha) : alpha_(alpha) {}
  double step(const Grid &in, Grid &out) override {
    double change = 0;
    for (int i = 1; i + 1 < in.nx(); ++i) { /* (nx-2)*steps */
      for (int j = 1; j + 1 < in.ny(); ++j) { /* (nx-2)*(ny-2)*steps */
        out(i, j) = in(i, j) + alpha_ * (in(i - 1, j) + in(i, j - 1) - 2 * in(i, j));
        change += out(i, j) - in(i, j);
      }
    }
    return change;
  }
private:
  double alpha_;
};
class Simulation {
public:
  explicit Simulation(const Options &o)
      : options_(o), now_(o.nx, o.ny), next_(o.nx, o.ny),
        stepper_(std::make_unique<Explicit>(0.1)) {
    for (int i = 0; i < now_.nx(); ++i) { /* nx */
      now_(i, 0) = next_(i, 0) = 1.0;
    }
  }
  void run() {
    for (int t = 0; t < options_.steps; ++t) { /* steps */
      double change = stepper_->step(now_, next_);
      std::swap(now_, next_);
      history_.push_back(change);
      if (options_.verbose) std::cout << "step " << t << " " << change << "\n";
    }
  }
  double total() const {
    double s = 0;
    for (double v : now_) { /* nx*ny */
      s += v;
    }
    return s;
  }
private:
  Options options_;
  Grid now_, next_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> history_;
};
int main(int argc, char **argv) {
  Simulation s(parse(argc, argv));
  s.run();
  std::cout << s.total() << "\n";
  return 0;
}
