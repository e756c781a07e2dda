// args: 0 | 1 | 7 | 100
#include <cstdlib>
static int one(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { /* law: n */
    s += i;
  }
  return s;
}
static int two(int n) {
  int s = 0;
  for (int i = 0; i < 2 * n; i++) { /* law: 4*n */
    s += i;
  }
  return s;
}
typedef int (*Kernel)(int);
static const Kernel table[] = {one, two, two};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  for (int k = 0; k < 3; k++) { /* law: 3 */
    s += table[k](n);
  }
  return s & 1;
}
