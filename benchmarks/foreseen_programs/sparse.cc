// 4000 40
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>
class Sparse {
  public:
    explicit Sparse(std::size_t n) : first_(1, 0), n_(n) {}
    void add_row(const std::vector<int> &columns) {
        for (int c : columns) { column_.push_back(c); value_.push_back(1.0 / (1 + c % 9)); }
        first_.push_back(column_.size());
    }
    double row(std::size_t i, const std::vector<double> &x) const {
        double s = 0;
        for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) s += value_[k] * x[column_[k]];
        return s;
    }
    double at(std::size_t i, int j) const {
        for (std::size_t k = first_.at(i); k != first_.at(i + 1); ++k) if (column_[k] == j) return value_[k];
        return 0;
    }
    std::size_t size() const { return n_; }
  private:
    std::vector<std::size_t> first_;
    std::vector<int> column_;
    std::vector<double> value_;
    std::size_t n_;
};
int main(int, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    Sparse a(n);
    for (int i = 0; i < n; i++) { std::vector<int> c; for (int k = 0; k < 2 + i % 5; k++) c.push_back((i * 13 + k * 101) % n); a.add_row(c); }
    std::vector<double> x(n, 1.0), y(n, 0.0);
    double s = 0;
    for (int r = 0; r < rounds; r++) {
        for (std::size_t i = 0; i < a.size(); i++) y[i] = a.row(i, x);
        for (std::size_t i = 0; i < a.size(); i++) s += a.at(i, int(i * 13 % n)) * y[i];
        x.swap(y);
    }
    printf("%g\n", s);
}
