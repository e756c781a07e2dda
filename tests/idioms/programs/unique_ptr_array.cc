// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <memory>
#include <cstdio>
class Buffer {
  std::unique_ptr<double[]> data_;
  std::size_t len_;

public:
  explicit Buffer(std::size_t len) : data_(std::make_unique<double[]>(len)), len_(len) {
  }
  double *begin() {
    return data_.get();
  }
  double *end() {
    return data_.get() + len_;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Buffer b(n);
  double k = 0;
  for (double &x : b) { /* law: n */
    x = k++;
  }
  double s = 0;
  for (double x : b) { /* law: n */
    s += x;
  }
  std::printf("%g\n", s);
}
