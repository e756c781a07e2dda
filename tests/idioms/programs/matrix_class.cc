// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
class Matrix {
public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  double &operator()(int i, int j) { return data_[i * cols_ + j]; }
  double sum() const {
    double s = 0;
    for (double x : data_) { /* law: n*m */
      s += x;
    }
    return s;
  }
private:
  int rows_, cols_;
  std::vector<double> data_;
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Matrix a(n, m);
  for (int i = 0; i < a.rows(); i++) { /* law: n */
    for (int j = 0; j < a.cols(); j++) { /* law: n*m */
      a(i, j) = i + j;
    }
  }
  return a.sum() > 3;
}
