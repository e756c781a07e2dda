// args: 2 | 7 | 30
#include <cstdlib>
#include <cstdio>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<std::vector<long>> t(n);
  for (int i = 0; i < n; i++) { /* law: n */
    t[i].resize(i + 1);
    t[i][0] = t[i][i] = 1;
    for (int j = 1; j < i; j++) { /* law: (n-1)*(n-2)/2 */
      t[i][j] = t[i - 1][j - 1] + t[i - 1][j];
    }
  }
  long s = 0;
  for (const auto &row : t) { /* law: n */
    for (long x : row) { /* law: n*(n+1)/2 */
      s += x;
    }
  }
  std::printf("%ld\n", s);
}
