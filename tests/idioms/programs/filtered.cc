// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::vector<int> odd;
  for (int i = 0; i < n; i++) { /* law: n */
    if (i % 2) {
      odd.push_back(i);
    }
  }
  for (int x : odd) { /* law: floor(n/2) */
    s += x;
  }
  return s & 1;
}
