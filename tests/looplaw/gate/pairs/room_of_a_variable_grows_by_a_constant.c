// expected: growth
// -- before
#include <stdio.h>
#include <stdlib.h>
char *slurp(FILE *f, size_t *len) {
  size_t n = 0, cap = 4096; char *p = malloc(cap);
  int c;
  while ((c = getc(f)) != EOF) {
    if (n + 1 >= cap) { cap *= 2; p = realloc(p, cap); }
    p[n++] = (char)c;
  }
  p[n] = 0; *len = n;
  return p;
}
// -- after
#include <stdio.h>
#include <stdlib.h>
char *slurp(FILE *f, size_t *len) {
  size_t n = 0, cap = 4096; char *p = malloc(cap);
  int c;
  while ((c = getc(f)) != EOF) {
    if (n + 1 >= cap) { cap += 4096; p = realloc(p, cap); }
    p[n++] = (char)c;
  }
  p[n] = 0; *len = n;
  return p;
}
