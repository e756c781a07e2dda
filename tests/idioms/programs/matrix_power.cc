// args: 4 3 | 6 2 | 1 5
#include <cstdlib>
#include <cstdio>
#include <vector>
struct Matrix {
  int n; std::vector<double> d;
  explicit Matrix(int n) : n(n), d(n * n) {}
  Matrix operator*(const Matrix &o) const {
    Matrix r(n);
    for (int i = 0; i < n; i++) { /* law: n*m */
      for (int j = 0; j < n; j++) { /* law: n**2*m */
        for (int k = 0; k < n; k++) { /* law: n**3*m */
          r.d[i * n + j] += d[i * n + k] * o.d[k * n + j];
        }
      }
    }
    return r;
  }
};
int main(int argc, char **argv) {
  const int n = atoi(argv[1]), m = atoi(argv[2]);
  Matrix a(n), r(n);
  for (int k = 0; k < m; k++) { /* law: m */
    r = r * a;
  }
  printf("%g\n", r.d[0]);
}
