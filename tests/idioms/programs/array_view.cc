// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
template <typename T> class View {
public:
  View(T *data, std::size_t size) : data_(data), size_(size) {}
  T *begin() const { return data_; }
  T *end() const { return data_ + size_; }
  std::size_t size() const { return size_; }
  T &operator[](std::size_t i) const { return data_[i]; }
  View first(std::size_t k) const { return View(data_, k); }
private:
  T *data_;
  std::size_t size_;
};
static double sum(View<const double> v) {
  double s = 0;
  for (double x : v) { /* law: n + m */
    s += x;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  std::vector<double> a(n + m);
  View<double> v(a.data(), a.size());
  for (std::size_t i = 0; i < v.size(); i++) { /* law: n + m */
    v[i] = i;
  }
  View<double> head = v.first(m);
  for (double &x : head) { /* law: m */
    x += 1;
  }
  return sum(View<const double>(a.data(), a.size())) > 1;
}
