// args: 0 | 1 | 7 | 100
#include <iostream>
#include <string>
#include <vector>
int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: " << argv[0] << " n\n";
    return 1;
  }
  const int n = std::stoi(argv[1]);
  std::vector<double> x(n), y(n);
  for (int i = 0; i < n; ++i) { /* law: n */
    x[i] = i;
    y[i] = 2.0 * i;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) { /* law: n */
    sum += x[i] * y[i];
  }
  std::cout << "sum " << sum << std::endl;
  return 0;
}
