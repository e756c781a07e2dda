// expected: growth
// -- before
#include <stdlib.h>
#include <string.h>
struct arr { int *p; unsigned n, cap; };
static void grow(struct arr *a) {
  a->cap <<= 1;
  a->p = realloc(a->p, a->cap * sizeof *a->p);
}
void push(struct arr *a, int x) { if (a->n >= a->cap) grow(a); a->p[a->n++] = x; }
void from(struct arr *a, const int *x, int n) { for (int i = 0; i < n; i++) push(a, x[i]); }
// -- after
#include <stdlib.h>
#include <string.h>
struct arr { int *p; unsigned n, cap; };
static void grow(struct arr *a) {
  a->cap++;
  a->p = realloc(a->p, a->cap * sizeof *a->p);
}
void push(struct arr *a, int x) { if (a->n >= a->cap) grow(a); a->p[a->n++] = x; }
void from(struct arr *a, const int *x, int n) { for (int i = 0; i < n; i++) push(a, x[i]); }
