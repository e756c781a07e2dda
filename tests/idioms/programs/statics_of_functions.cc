// args: 1 | 6 | 20
#include <cstdio>
#include <cstdlib>
#include <vector>

static int width = 2;

class Settings {
  int depth_;
  std::vector<int> rows_;
  Settings() : depth_(3), rows_(4, 1) {
  }

public:
  static Settings &get() {
    static Settings s;
    return s;
  }
  void deepen(int by) {
    depth_ += by;
    rows_.resize(rows_.size() + by);
  }
  int depth() const {
    return depth_;
  }
  const std::vector<int> &rows() const {
    return rows_;
  }
};

struct Wide {
  std::vector<int> cells;
  Wide() : cells(width) {
  }
};

static std::vector<int> &wide() {
  static Wide w;
  return w.cells;
}

static long visits(int n) {
  static std::vector<int> seen(n);
  long s = 0;
  for (int v : seen) { /* law: parametric */
    s += v + 1;
  }
  return s;
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Settings::get().deepen(n);
  width = n;
  long s = 0;
  for (int i = 0; i < Settings::get().depth(); ++i) { /* law: parametric */
    s += i;
  }
  for (int r : Settings::get().rows()) { /* law: parametric */
    s += r;
  }
  for (int c : wide()) { /* law: parametric */
    s += c;
  }
  s += visits(n) + visits(n + 5);
  std::printf("%ld\n", s);
}
