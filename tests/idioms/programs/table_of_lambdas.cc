// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <functional>
#include <vector>
static int once(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) { /* law: n */
    s += i;
  }
  return s;
}
static int twice(int n) {
  int s = 0;
  for (int i = 0; i < 2 * n; ++i) { /* law: 2*n */
    s ^= i;
  }
  return s;
}
struct Entry {
  const char *name;
  int (*run)(int);
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  static const Entry table[] = {{"once", once}, {"twice", twice}};
  for (const Entry &e : table) { /* law: 2 */
    s += e.run(n);
  }
  auto local = [n](int k) {
    int t = 0;
    for (int i = 0; i < n; ++i) { /* law: 3*n */
      t += k;
    }
    return t;
  };
  for (int k = 0; k < 3; ++k) { /* law: 3 */
    s += local(k);
  }
  return s & 1;
}
