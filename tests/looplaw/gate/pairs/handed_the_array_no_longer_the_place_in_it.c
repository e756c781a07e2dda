// expected: growth
// -- before
#include <string.h>
struct scan { const char *b; size_t pos; };
static size_t word(const char *p) { size_t n = 0; while (p[n] && p[n] != ' ') n++; return n; }
int words(struct scan *s) {
  int n = 0;
  while (s->b[s->pos]) { size_t k = word(s->b + s->pos); s->pos += k + 1; n++; }
  return n;
}
// -- after
#include <string.h>
struct scan { const char *b; size_t pos; };
static size_t word(const char *p) { size_t n = 0; while (p[n] && p[n] != ' ') n++; return n; }
int words(struct scan *s) {
  int n = 0;
  while (s->b[s->pos]) { size_t k = word(s->b); s->pos += k + 1; n++; }
  return n;
}
