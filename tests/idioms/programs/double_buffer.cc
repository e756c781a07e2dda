// args: 0 3 | 5 1 | 8 6
#include <cstdlib>
#include <cstdio>
#include <vector>
class Life {
  int n;
  std::vector<char> cur, nxt;

public:
  Life(int n) : n(n), cur(n * n), nxt(n * n) {
  }
  void step() {
    for (int i = 0; i < n; ++i) { /* law: n*m */
      for (int j = 0; j < n; ++j) { /* law: n*n*m */
        nxt[i * n + j] = cur[i * n + (j + 1) % n];
      }
    }
    cur.swap(nxt);
  }
  int alive() const {
    int a = 0;
    for (char c : cur) { /* law: n*n */
      a += c;
    }
    return a;
  }
};
int main(int argc, char **argv) {
  Life l(std::atoi(argv[1]));
  int gens = std::atoi(argv[2]);
  for (int g = 0; g < gens; ++g) { /* law: m */
    l.step();
  }
  std::printf("%d\n", l.alive());
}
