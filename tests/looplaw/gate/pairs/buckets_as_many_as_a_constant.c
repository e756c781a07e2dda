// expected: growth
// -- before
#include <string.h>
struct ent { struct ent *next; const char *key; unsigned h; };
struct tab { struct ent **b; unsigned cap, n; };
struct ent *find(struct tab *t, const char *key, unsigned h) {
  for (struct ent *e = t->b[h & (t->cap - 1)]; e; e = e->next)
    if (e->h == h && !strcmp(e->key, key)) return e;
  return 0;
}
// -- after
#include <string.h>
struct ent { struct ent *next; const char *key; unsigned h; };
struct tab { struct ent **b; unsigned cap, n; };
struct ent *find(struct tab *t, const char *key, unsigned h) {
  for (struct ent *e = t->b[h & 15]; e; e = e->next)
    if (e->h == h && !strcmp(e->key, key)) return e;
  return 0;
}
