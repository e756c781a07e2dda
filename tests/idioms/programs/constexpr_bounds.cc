// args: 0 | 1 | 7
#include <cstdlib>
#include <vector>
constexpr int kBlock = 8;
template <int Rows, int Cols> struct Tile {
  double a[Rows][Cols] = {};
  double sum() const {
    double s = 0;
    for (int i = 0; i < Rows; i++) { /* law: 11*n */
      for (int j = 0; j < Cols; j++) { /* law: 37*n */
        s += a[i][j];
      }
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  double s = 0;
  for (int t = 0; t < n; t++) { /* law: n */
    Tile<kBlock, 2> a;
    Tile<3, 7> b;
    s += a.sum() + b.sum();
  }
  return s > 1;
}
