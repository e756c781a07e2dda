// args: 4 3 | 6 2 | 1 5
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Grid {
  int nx, ny;
  std::vector<double> d;
  Grid(int x, int y) : nx(x), ny(y), d(x * y) {}
  Grid next() const {
    Grid r(nx, ny);
    for (int i = 0; i < nx; i++) { /* law: 2*n*m */
      for (int j = 0; j < ny; j++) { /* law: 2*n*(n+1)*m */
        r.d[i * ny + j] = d[i * ny + j] + 1;
      }
    }
    return r;
  }
};
static Grid step(const Grid &g) {
  Grid r(g);
  for (int i = 0; i < g.nx; i++) { /* law: n*m */
    r.d[i] += 1;
  }
  return r;
}
struct Matrix {
  int n;
  std::vector<double> d;
  explicit Matrix(int n) : n(n), d(n * n) {}
  Matrix operator*(const Matrix &o) const {
    Matrix r(n);
    for (int i = 0; i < n; i++) { /* law: 2*n*m */
      for (int k = 0; k < n; k++) { /* law: 2*n**2*m */
        r.d[i * n] += d[i * n + k] * o.d[k * n];
      }
    }
    return r;
  }
};
class Model {
  Grid g_;
public:
  explicit Model(int n) : g_(n, n + 1) {}
  void advance() { g_ = g_.next(); }
  double first() const { return g_.d[0]; }
};
int main(int argc, char **argv) {
  const int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Grid a(n, n + 1), b(n, n);
  Matrix r(n), x(n);
  Model model(n);
  for (int k = 0; k < m; k++) { /* law: m */
    a = a.next();
    b = step(b);
    r = r * x;
    x = x * x;
    model.advance();
  }
  std::printf("%g\n", a.d[0] + b.d[0] + r.d[0] + model.first());
  return 0;
}
