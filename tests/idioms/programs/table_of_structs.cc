// args: 0 | 1 | 7 | 100
#include <cstdio>
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
  for (int i = 0; i < 2 * n; i++) { /* law: 2*n */
    s += i;
  }
  return s;
}
struct Entry {
  const char *name;
  int (*run)(int);
};
static Entry table[] = {{"one", one}, {"two", two}, {nullptr, nullptr}};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  for (Entry *e = table; e->run; e++) { /* law: 2 */
    s += e->run(n);
  }
  return s & 1;
}
