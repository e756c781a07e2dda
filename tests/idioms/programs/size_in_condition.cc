// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<double> v(n, 1.5), w(2 * n);
  double s = 0;
  for (std::size_t i = 0; i < v.size(); i++) { /* law: n */
    s += v[i];
  }
  for (int i = 0; i < (int)w.size(); i++) { /* law: 2*n */
    s += w.at(i);
  }
  return s > 1;
}
