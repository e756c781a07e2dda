// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <array>
#include <vector>
#include <cstdio>
template <typename T, int R> class Mat {
  std::vector<std::array<T, R>> rows;

public:
  explicit Mat(int n) : rows(n) {
  }
  int height() const {
    return static_cast<int>(rows.size());
  }
  T &operator()(int i, int j) {
    return rows[i][j];
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Mat<float, 5> m(n);
  float s = 0;
  for (int i = 0; i < m.height(); i++) { /* law: n */
    for (int j = 0; j < 5; j++) { /* law: 5*n */
      s += m(i, j) = i + j;
    }
  }
  std::printf("%g\n", s);
}
