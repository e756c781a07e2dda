// args: 1 | 16 | 17 | 100
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <cstdio>
int main(int argc, char **argv) {
  const int n = std::atoi(argv[1]);
  const int block = 16;
  std::vector<float> a(n), b(n);
  for (int i0 = 0; i0 < n; i0 += block) { /* law: ceiling(n/16) */
    const int hi = std::min(i0 + block, n);
    for (int i = i0; i < hi; ++i) { /* law: n */
      b[i] = a[i] * 2;
    }
  }
  std::printf("%g\n", b[0]);
}
