/* 3 2: n=3 rounds=2 | 5 1: n=5 rounds=1 | 0 3: n=0 rounds=3 */
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *child, *next; };
static struct node *grow(int depth, unsigned *seed) {
  struct node *p = malloc(sizeof *p);
  if (!p) {
    perror("malloc");
    exit(1);
  }
  *seed = *seed * 1103515245u + 12345u;
  p->value = (*seed >> 16) % 7;
  p->child = p->next = NULL;
  int k = depth > 0 ? (*seed >> 20) % 4 + 1 : 0;
  for (int i = 0; i < k; i++) { /* grown - 1 */
    struct node *c = grow(depth - 1, seed);
    c->next = p->child;
    p->child = c;
  }
  return p;
}
static long sum(const struct node *p) {
  long s = p->value;
  for (const struct node *c = p->child; c; c = c->next) { /* visited - rounds */
    s += sum(c);
  }
  return s;
}
static void release(struct node *p) {
  struct node *c = p->child;
  while (c) { /* released - 1 */
    struct node *next = c->next;
    release(c);
    c = next;
  }
  free(p);
}
int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s DEPTH ROUNDS\n", argv[0]);
    return 1;
  }
  int n = atoi(argv[1]), rounds = atoi(argv[2]);
  unsigned seed = 7;
  struct node *root = grow(n, &seed);
  long s = 0;
  for (int r = 0; r < rounds; r++) { /* rounds */
    s += sum(root);
  }
  release(root);
  printf("%ld\n", s);
  return 0;
}
