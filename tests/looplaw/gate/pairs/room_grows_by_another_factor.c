// expected: nothing
// -- before
#include <stdlib.h>
struct buf { char *p; size_t n, cap; };
int put(struct buf *b, char c) {
  if (b->n == b->cap) {
    size_t cap = b->cap ? b->cap * 2 : 16;
    char *p = realloc(b->p, cap);
    if (!p) return -1;
    b->p = p; b->cap = cap;
  }
  b->p[b->n++] = c;
  return 0;
}
// -- after
#include <stdlib.h>
struct buf { char *p; size_t n, cap; };
int put(struct buf *b, char c) {
  if (b->n == b->cap) {
    size_t cap = b->cap + b->cap / 2 + 16;
    char *p = realloc(b->p, cap);
    if (!p) return -1;
    b->p = p; b->cap = cap;
  }
  b->p[b->n++] = c;
  return 0;
}
