// args: 0 | 1 | 7 | 100
#include <cstdlib>
typedef void (*Visit)(int, void *);
static void walk(int n, Visit visit, void *data) {
  for (int i = 0; i < n; i++) { /* law: 3*n */
    visit(i, data);
  }
}
static void add(int i, void *data) {
  int *s = (int *)data;
  for (int k = 0; k < 2; k++) { /* law: 2*n */
    *s += i;
  }
}
static void tri(int i, void *data) {
  int *s = (int *)data;
  for (int k = 0; k < i; k++) { /* law: n*(2*n - 1) */
    *s += k;
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  walk(n, add, &s);
  walk(2 * n, tri, &s);
  return s & 1;
}
