// args: 3 5 | 10 2 | 1 4
#include <cstdlib>
struct Box {
  int lo[3];
  int n;
  int hi[3];
  int steps;
};
static Box box;
static long g;
class Shape {
  int lo_[2], hi_[2];

public:
  explicit Shape(int n) {
    for (int d = 0; d < 2; ++d) { /* law: 2 */
      lo_[d] = 0;
      hi_[d] = n + d;
    }
  }
  int size(int d) const { return hi_[d] - lo_[d]; }
};
static void setup(int n) {
  for (int d = 0; d < 3; ++d) { /* law: 3 */
    box.lo[d] = 1;
    box.hi[d] = n + 1;
  }
  box.steps = 2;
}
static void set(int *p, int last, int v) {
  for (int i = 0; i <= last; ++i) { /* law: 3 */
    p[i] = v;
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  setup(n);
  for (int i = box.lo[0]; i < box.hi[0]; ++i) { /* law: n */
    for (int j = box.lo[2]; j < box.hi[2]; ++j) { /* law: n*n */
      g += i * j;
    }
  }
  for (int t = 0; t < box.steps; ++t) { /* law: 2 */
    g++;
  }
  box.n = m;
  set(box.lo, 2, n + 4);
  for (int i = 0; i < box.lo[1]; ++i) { /* law: parametric */
    g++;
  }
  for (int i = 0; i < box.hi[1]; ++i) { /* law: parametric */
    g++;
  }
  box.hi[1] = 7;
  for (int i = 0; i < box.hi[1]; ++i) { /* law: 7 */
    g++;
  }
  for (int i = 0; i < box.hi[0]; ++i) { /* law: parametric */
    g++;
  }
  box.hi[argc - 2] = 9;
  for (int i = 0; i < box.hi[1]; ++i) { /* law: parametric */
    g++;
  }
  for (int i = 0; i < box.n; ++i) { /* law: parametric */
    g++;
  }
  Shape s(n);
  for (int i = 0; i < s.size(1); ++i) { /* law: n + 1 */
    g++;
  }
  return g & 1;
}
