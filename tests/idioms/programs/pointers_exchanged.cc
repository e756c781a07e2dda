// args: 3 5 | 10 2 | 0 4 | 6 6
#include <cstdlib>
struct N { N *next; int *count; int k; };
static int g;
static void bump(N *p, int d) { int local = d; p->count = &local; *p->count += 2; for (int i = 0; i < local; i++) { /* law: parametric */
 g++; } }
static void through(N *p) { int x = 3; int *keep = p->count; p->count = &x; *p->count = 7; for (int i = 0; i < x; i++) { /* law: parametric */
 g++; } p->count = keep; *p->count += 1; }
static void self(N *p) { p->next->k = 4; for (int i = 0; i < p->k; i++) { /* law: parametric */
 g++; } }
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  int c = n;
  N a = {nullptr, &c, m};
  a.next = &a;
  through(&a);
  for (int i = 0; i < c; i++) { /* law: n + 1 */
    g++;
  }
  self(&a);
  for (int i = 0; i < a.k; i++) { /* law: 4 */
    g++;
  }
  bump(&a, m);
  return g & 1;
}
