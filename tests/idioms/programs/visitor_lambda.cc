// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
class Tree {
  std::vector<int> keys;

public:
  Tree(int n) {
    for (int i = 0; i < n; i++) { /* law: n */
      keys.push_back(i);
    }
  }
  template <class F> void each(F f) const {
    for (int k : keys) { /* law: n */
      f(k);
    }
  }
};
int main(int argc, char **argv) {
  Tree t(std::atoi(argv[1]));
  long s = 0;
  t.each([&](int k) {
    for (int j = 0; j < 3; j++) { /* law: 3*n */
      s += k * j;
    }
  });
  std::printf("%ld\n", s);
}
