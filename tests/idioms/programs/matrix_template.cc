// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
template <typename T> class Matrix {
public:
  Matrix(std::size_t rows, std::size_t columns, T value = T())
      : rows_(rows), columns_(columns), data_(rows * columns, value) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  T &operator()(std::size_t i, std::size_t j) { return data_[i * columns_ + j]; }
  const T &operator()(std::size_t i, std::size_t j) const { return data_[i * columns_ + j]; }
  Matrix operator*(const Matrix &other) const {
    Matrix result(rows_, other.columns_);
    for (std::size_t i = 0; i < rows_; ++i) { /* law: n */
      for (std::size_t j = 0; j < other.columns_; ++j) { /* law: n**2 */
        for (std::size_t k = 0; k < columns_; ++k) { /* law: n**2*m */
          result(i, j) += (*this)(i, k) * other(k, j);
        }
      }
    }
    return result;
  }
  Matrix transposed() const {
    Matrix t(columns_, rows_);
    for (std::size_t i = 0; i < rows_; ++i) { /* law: n */
      for (std::size_t j = 0; j < columns_; ++j) { /* law: n*m */
        t(j, i) = (*this)(i, j);
      }
    }
    return t;
  }
private:
  std::size_t rows_, columns_;
  std::vector<T> data_;
};
int main(int argc, char **argv) {
  Matrix<double> a(std::atoi(argv[1]), std::atoi(argv[2]), 1.0);
  Matrix<double> b = a.transposed();
  Matrix<double> c = a * b;
  double s = 0;
  for (std::size_t i = 0; i < c.rows(); ++i) { /* law: n */
    s += c(i, i);
  }
  return s > 1;
}
