// expected: growth
// -- before
#include <stdlib.h>
struct v { int *p; int n, cap; };
void add(struct v *v, int x) {
  if (v->n == v->cap) { v->cap = v->cap ? 2 * v->cap : 8; v->p = realloc(v->p, sizeof(int) * (size_t)v->cap); }
  v->p[v->n++] = x;
}
// -- after
#include <stdlib.h>
struct v { int *p; int n, cap; };
void add(struct v *v, int x) {
  v->p = realloc(v->p, sizeof(int) * (size_t)(v->n + 1));
  v->p[v->n++] = x;
}
