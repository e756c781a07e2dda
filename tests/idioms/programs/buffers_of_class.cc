// args: 1 2 | 7 3 | 50 1
#include <cstdlib>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>
struct Stepper {
  virtual ~Stepper() = default;
  virtual double step(const std::vector<double> &in, std::vector<double> &out) = 0;
};
struct Explicit : Stepper {
  double alpha_;
  explicit Explicit(double a) : alpha_(a) {}
  double step(const std::vector<double> &in, std::vector<double> &out) override {
    for (size_t i = 0; i < in.size(); ++i) { /* law: n*m */
      out[i] = alpha_ * in[i];
    }
    return out[0];
  }
};
class Simulation {
public:
  Simulation(int n, int steps)
      : steps_(steps), now_(n), next_(n), stepper_(std::make_unique<Explicit>(0.1)) {}
  void run() {
    for (int t = 0; t < steps_; ++t) { /* law: m */
      history_.push_back(stepper_->step(now_, next_));
      for (size_t i = 0; i < next_.size(); ++i) { /* law: n*m */
        next_[i] += 1;
      }
      std::swap(now_, next_);
    }
  }
  double first() const { return now_[0]; }
private:
  int steps_;
  std::vector<double> now_, next_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> history_;
};
int main(int argc, char **argv) {
  Simulation s(std::atoi(argv[1]), std::atoi(argv[2]));
  s.run();
  printf("%g\n", s.first());
  return 0;
}
