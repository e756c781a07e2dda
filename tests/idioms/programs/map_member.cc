// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <map>
#include <cstdio>
class Histogram {
  std::map<int, int> bins;

public:
  explicit Histogram(int n) {
    for (int i = 0; i < n; ++i) { /* law: n */
      bins[i] = 0;
    }
  }
  int total() const {
    int s = 0;
    for (const auto &b : bins) { /* law: n */
      s += b.second;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Histogram h(n);
  std::printf("%d\n", h.total());
}
