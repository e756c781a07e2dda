// expected: growth
// -- before
#include <stdlib.h>
#include <string.h>
struct sb { char *p; size_t n, cap; };
static void need(struct sb *b, size_t k) {
  if (b->n + k > b->cap) {
    while (b->cap < b->n + k) b->cap = b->cap ? b->cap * 2 : 32;
    b->p = realloc(b->p, b->cap);
  }
}
void add_text(struct sb *b, const char *s) { size_t k = strlen(s); need(b, k); memcpy(b->p + b->n, s, k); b->n += k; }
// -- after
#include <stdlib.h>
#include <string.h>
struct sb { char *p; size_t n, cap; };
static void need(struct sb *b, size_t k) {
  if (b->n + k > b->cap) {
    b->cap = b->n + k;
    b->p = realloc(b->p, b->cap);
  }
}
void add_text(struct sb *b, const char *s) { size_t k = strlen(s); need(b, k); memcpy(b->p + b->n, s, k); b->n += k; }
