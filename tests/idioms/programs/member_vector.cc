// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
class Field {
  std::vector<double> cells;

public:
  explicit Field(int n) : cells(n, 1.0) {
  }
  double sum() const {
    double s = 0;
    for (double c : cells) { /* law: n */
      s += c;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Field f(n);
  std::printf("%g\n", f.sum());
}
