// expected: growth
// -- before
#include <stdlib.h>
struct node { struct node *next; int v; };
static struct node *append(struct node *a, struct node *b) {
  if (!a) return b;
  while (a->next) a = a->next;
  a->next = b;
  return b;
}
extern struct node *parse(int *pos);
struct node *all(int *pos, int n) {
  struct node *first = 0, *last = 0;
  while (*pos < n) {
    struct node *x = parse(pos);
    last = append(last, x);
    if (!first) first = last;
  }
  return first;
}
// -- after
#include <stdlib.h>
struct node { struct node *next; int v; };
static struct node *append(struct node *a, struct node *b) {
  if (!a) return b;
  while (a->next) a = a->next;
  a->next = b;
  return b;
}
extern struct node *parse(int *pos);
struct node *all(int *pos, int n) {
  struct node *first = 0, *last = 0;
  while (*pos < n) {
    struct node *x = parse(pos);
    last = append(first, x);
    if (!first) first = last;
  }
  return first;
}
