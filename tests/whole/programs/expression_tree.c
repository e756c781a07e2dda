/* 1+2*3 2: rounds=2 | (4-1)*(2+7)-5 3: rounds=3 | 9 1: rounds=1 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
struct node { char op; int value; struct node *kid[2]; };
static const char *p;
static struct node *sum(void);
static struct node *make(char op, int value, struct node *a, struct node *b) {
  struct node *n = malloc(sizeof *n);
  n->op = op;
  n->value = value;
  n->kid[0] = a;
  n->kid[1] = b;
  return n;
}
static struct node *atom(void) {
  if (*p == '(') {
    p++;
    struct node *n = sum();
    p++;
    return n;
  }
  int v = 0;
  while (isdigit((unsigned char)*p)) { /* atoms*digits */
    v = 10 * v + *p++ - '0';
  }
  return make('n', v, NULL, NULL);
}
static struct node *product(void) {
  struct node *n = atom();
  while (*p == '*' || *p == '/') { /* atoms - products */
    char op = *p++;
    n = make(op, 0, n, atom());
  }
  return n;
}
static struct node *sum(void) {
  struct node *n = product();
  while (*p == '+' || *p == '-') { /* products - sums */
    char op = *p++;
    n = make(op, 0, n, product());
  }
  return n;
}
static int eval(const struct node *n) {
  if (n->op == 'n') return n->value;
  int v[2];
  for (int k = 0; k < 2; k++) { /* evaluations - rounds */
    v[k] = eval(n->kid[k]);
  }
  switch (n->op) {
    case '+': return v[0] + v[1];
    case '-': return v[0] - v[1];
    case '*': return v[0] * v[1];
    default: return v[1] ? v[0] / v[1] : 0;
  }
}
static void release(struct node *n) {
  if (!n) return;
  for (int k = 0; k < 2; k++) { /* released - 1 */
    release(n->kid[k]);
  }
  free(n);
}
int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s EXPRESSION ROUNDS\n", argv[0]);
    return 2;
  }
  int rounds = atoi(argv[2]), s = 0;
  p = argv[1];
  struct node *root = sum();
  for (int r = 0; r < rounds; r++) { /* rounds */
    s += eval(root);
  }
  release(root);
  printf("%d\n", s);
  return 0;
}
