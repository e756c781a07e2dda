// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <memory>
struct Buffer {
  std::unique_ptr<double[]> data;
  std::size_t size;
  explicit Buffer(std::size_t n) : data(std::make_unique<double[]>(n)), size(n) {}
};
int main(int argc, char **argv) {
  std::size_t n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Buffer a(n), b(m);
  for (std::size_t i = 0; i < a.size; ++i) { /* law: n */
    a.data[i] = i;
  }
  Buffer c = std::move(b);
  double s = 0;
  for (std::size_t i = 0; i < a.size; ++i) { /* law: n */
    for (std::size_t j = 0; j < c.size; ++j) { /* law: n*m */
      s += a.data[i] * c.data[j];
    }
  }
  return s > 1;
}
