// args: 1 1 | 4 3 | 9 5
#include <cstdlib>
#include <cstdio>
#include <vector>
#include <cassert>
class Matrix {
  size_t r_, c_;
  std::vector<double> d_;

public:
  Matrix(size_t r, size_t c, double v = 0) : r_(r), c_(c), d_(r * c, v) {
  }
  size_t rows() const {
    return r_;
  }
  size_t cols() const {
    return c_;
  }
  double &operator()(size_t i, size_t j) {
    return d_[i * c_ + j];
  }
  double operator()(size_t i, size_t j) const {
    return d_[i * c_ + j];
  }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    assert(a.cols() == b.rows());
    Matrix c(a.rows(), b.cols());
    for (size_t i = 0; i < a.rows(); i++) { /* law: n */
      for (size_t j = 0; j < b.cols(); j++) { /* law: n*m */
        for (size_t k = 0; k < a.cols(); k++) { /* law: n*m*n */
          c(i, j) += a(i, k) * b(k, j);
        }
      }
    }
    return c;
  }
  Matrix transposed() const {
    Matrix t(c_, r_);
    for (size_t i = 0; i < r_; i++) { /* law: n */
      for (size_t j = 0; j < c_; j++) { /* law: n*m */
        t(j, i) = (*this)(i, j);
      }
    }
    return t;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Matrix a(n, n, 1.0), b(n, m, 2.0);
  Matrix c = a * b;
  Matrix t = c.transposed();
  std::printf("%g\n", t(0, 0));
}
