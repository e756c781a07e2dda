// args: 4 3 | 6 2 | 13 13 | 20 8 | 5 9
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main(int argc, char **argv) {
  const std::size_t n = std::stoul(argv[1]), b = std::stoul(argv[2]);
  std::vector<int> v(n);
  int c = 0;
  for (std::size_t lo = 0; lo < n; lo += b) { /* law: ceiling(n/m) */
    std::size_t hi = std::min(lo + b, n);
    for (std::size_t i = lo; i < hi; ++i) { /* law: n */
      v[i]++;
    }
  }
  for (std::size_t lo = 0; lo < n; lo += 4) { /* law: ceiling(n/4) */
    const std::size_t hi = std::min(lo + 4, n);
    for (std::size_t i = lo; i < hi; ++i) { /* law: n */
      v[i] += 2;
    }
  }
  for (std::size_t lo = 0; lo < v.size(); lo += b) { /* law: ceiling(n/m) */
    for (std::size_t i = lo; i < lo + b && i < v.size(); ++i) { /* law: n */
      c += v[i];
    }
  }
  std::cout << c << "\n";
}
