// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
template <class T> T total(const std::vector<T> &v) {
  T s = 0;
  for (const T &x : v) { /* law: 5*n */
    s += x;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<int> a(n, 1);
  std::vector<double> b(n + n, 2.0);
  std::vector<long> c(2 * n);
  return (total(a) + total(b) + total(c)) > 3;
}
