// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
class View {
  const std::vector<int> &v_;
  size_t from_, to_;

public:
  View(const std::vector<int> &v, size_t from, size_t to) : v_(v), from_(from), to_(to) {
  }
  long sum() const {
    long s = 0;
    for (size_t i = from_; i < to_; ++i) { /* law: n */
      s += v_[i];
    }
    for (int x : v_) { /* law: 2*n */
      s += x;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = 2 * std::atoi(argv[1]);
  std::vector<int> v(n, 3);
  View w(v, 0, v.size() / 2);
  std::printf("%ld\n", w.sum());
}
