// args: 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
struct Csr {
  int n;
  std::vector<int> ptr, col;
  std::vector<double> val;
};
static Csr laplace(int n) {
  Csr m;
  m.n = n;
  m.ptr.push_back(0);
  for (int i = 0; i < n; i++) { /* law: n */
    for (int k = 0; k < 3; k++) { /* law: 3*n */
      m.col.push_back((i + k) % n);
      m.val.push_back(1.0);
    }
    m.ptr.push_back((int)m.col.size());
  }
  return m;
}
static void spmv(const Csr &m, const std::vector<double> &x, std::vector<double> &y) {
  for (int i = 0; i < m.n; i++) { /* law: n */
    double s = 0;
    for (int k = m.ptr[i]; k < m.ptr[i + 1]; k++) { /* law: 3*n */
      s += m.val[k] * x[m.col[k]];
    }
    y[i] = s;
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Csr m = laplace(n);
  std::vector<double> x(n, 1.0), y(n);
  spmv(m, x, y);
  std::printf("%g\n", y[0]);
}
