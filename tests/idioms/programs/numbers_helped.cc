// args: 3 5 4 | 10 2 6 | 0 4 1 | 6 6 2
#include <cstdlib>
#include <cstdio>
static int calls = 0;
static int number(const char *t, int least) { calls++; int v = atoi(t); return v < least ? least : v; }
static int twice(const char *t) { static int last = 0; int v = atoi(t) + last; last = v; return v; }
static int deep(const char *t, int d) { return d == 0 ? atoi(t) : deep(t, d - 1) + 1; }
int main(int argc, char **argv) {
  int n = number(argv[1], 2), m = number(argv[2], 3), t = 0;
  for (int i = 0; i < n; i++) { /* law: Max(2, n) */
    t++;
  }
  for (int i = 0; i < m; i++) { /* law: Max(3, m) */
    t++;
  }
  for (int i = 0; i < calls; i++) { /* law: 2 */
    t++;
  }
  int a = twice(argv[1]), b = twice(argv[2]);
  for (int i = 0; i < a; i++) { /* law: n */
    t++;
  }
  for (int i = 0; i < b; i++) { /* law: n + m */
    t++;
  }
  int c = deep(argv[3], 3);
  for (int i = 0; i < c; i++) { /* law: parametric */
    t++;
  }
  for (int k = 1; k < 4; k++) { /* law: 3 */
    int v = number(argv[k], 0);
    for (int i = 0; i < v; i++) { /* law: parametric */
      t++;
    }
  }
  return t & 1;
}
