// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <memory>
#include <vector>
struct Op {
  virtual int run(int n) const = 0;
  virtual ~Op() = default;
};
struct Sum : Op {
  int run(int n) const override {
    int s = 0;
    for (int i = 0; i < n; i++) { /* law: named */
      s += i;
    }
    return s;
  }
};
struct Twice : Op {
  int run(int n) const override {
    int s = 0;
    for (int i = 0; i < 2 * n; i++) { /* law: named */
      s += i;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<std::unique_ptr<Op>> ops;
  ops.push_back(std::make_unique<Sum>());
  ops.push_back(std::make_unique<Twice>());
  for (auto &op : ops) { /* law: 2 */
    s += op->run(n);
  }
  return s & 1;
}
