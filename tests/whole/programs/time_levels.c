/* 4 3: n=4 steps=3 | 6 5: n=6 steps=5 | 3 1: n=3 steps=1 | 9 0: n=9 steps=0 */
#include <stdio.h>
#include <stdlib.h>
struct grid { int nx, ny; double *at; };
static struct grid *make(int nx, int ny) {
  struct grid *g = malloc(sizeof *g);
  g->nx = nx;
  g->ny = ny;
  g->at = calloc(nx * ny, sizeof *g->at);
  return g;
}
static void step(struct grid *new, const struct grid *old) {
  for (int y = 0; y < old->ny; y++) { /* steps*(n + 2) */
    for (int x = 0; x < old->nx; x++) { /* steps*(n + 2)*n */
      new->at[y * new->nx + x] = old->at[y * old->nx + x] + 1;
    }
  }
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), steps = atoi(argv[2]);
  struct grid *a = make(n, n + 2), *b = make(n, n + 2);
  for (int t = 0; t < steps; t++) { /* steps */
    step(b, a);
    struct grid *x = a;
    a = b;
    b = x;
  }
  struct grid u = *make(n, 3), v = *make(n, 3), w = *make(n, 3);
  for (int t = 0; t < steps; t++) { /* steps */
    for (int i = 0; i < u.nx; i++) { /* steps*n */
      w.at[i] = 2 * v.at[i] - u.at[i];
    }
    struct grid x = u;
    u = v;
    v = w;
    w = x;
  }
  double s = 0;
  for (int i = 0; i < a->nx; i++) { /* n */
    s += a->at[i] + w.at[i];
  }
  printf("%g\n", s);
  return 0;
}
