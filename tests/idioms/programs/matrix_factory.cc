// args: 1 | 2 | 8 | 20
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>
template <typename T> class Matrix {
  std::size_t rows_, cols_;
  std::vector<T> data_;

public:
  Matrix(std::size_t r, std::size_t c, T v = T()) : rows_(r), cols_(c), data_(r * c, v) {}
  T &operator()(std::size_t i, std::size_t j) { return data_[i * cols_ + j]; }
  const T &operator()(std::size_t i, std::size_t j) const { return data_[i * cols_ + j]; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  static Matrix identity(std::size_t n) {
    Matrix m(n, n);
    for (std::size_t i = 0; i < n; ++i) { /* law: n */
      m(i, i) = T(1);
    }
    return m;
  }
  Matrix transposed() const {
    Matrix t(cols_, rows_);
    for (std::size_t i = 0; i < rows_; ++i) { /* law: n */
      for (std::size_t j = 0; j < cols_; ++j) { /* law: n*n */
        t(j, i) = (*this)(i, j);
      }
    }
    return t;
  }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    if (a.cols() != b.rows()) throw std::invalid_argument("shape");
    Matrix c(a.rows(), b.cols());
    for (std::size_t i = 0; i < a.rows(); ++i) { /* law: n */
      for (std::size_t k = 0; k < a.cols(); ++k) { /* law: n*n */
        for (std::size_t j = 0; j < b.cols(); ++j) { /* law: n**3 */
          c(i, j) += a(i, k) * b(k, j);
        }
      }
    }
    return c;
  }
};
template <typename T> void lu(Matrix<T> &a) {
  const std::size_t n = a.rows();
  for (std::size_t k = 0; k < n; ++k) { /* law: n */
    if (std::abs(a(k, k)) < 1e-12) throw std::runtime_error("singular");
    for (std::size_t i = k + 1; i < n; ++i) { /* law: n*(n-1)/2 */
      a(i, k) /= a(k, k);
      for (std::size_t j = k + 1; j < n; ++j) { /* law: (n-1)*n*(2*n-1)/6 */
        a(i, j) -= a(i, k) * a(k, j);
      }
    }
  }
}
int main(int argc, char **argv) {
  const int n = std::atoi(argv[1]);
  auto m = Matrix<double>::identity(n);
  auto p = m * m.transposed();
  try {
    lu(p);
  } catch (const std::runtime_error &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  std::printf("%g\n", p(0, 0));
}
