/* 4 3: nx=4 ny=3 | 6 5: nx=6 ny=5 | 3 4: nx=3 ny=4 | 9 6: nx=9 ny=6 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int nx, ny; double dx, dt, t; double *u, *v; } state;
static state *create(int nx, int ny) {
  state *s = malloc(sizeof *s);
  if (s == NULL) return NULL;
  s->nx = nx;
  s->ny = ny;
  s->dx = 1.0 / nx;
  s->t = 0;
  s->u = calloc(nx * ny, sizeof *s->u);
  s->v = calloc(nx * ny, sizeof *s->v);
  if (!s->u || !s->v) {
    free(s->u);
    free(s->v);
    free(s);
    return NULL;
  }
  return s;
}
static double step(state *s) {
  double most = 0;
  for (int j = 1; j < s->ny - 1; j++) { /* steps*Max(0, ny - 2) */
    for (int i = 1; i < s->nx - 1; i++) { /* steps*Max(0, ny - 2)*Max(0, nx - 2) */
      int c = j * s->nx + i;
      s->v[c] = 0.25 * (s->u[c - 1] + s->u[c + 1] + s->u[c - s->nx] + s->u[c + s->nx]);
      double d = fabs(s->v[c] - s->u[c]);
      if (d > most) most = d;
    }
  }
  double *tmp = s->u;
  s->u = s->v;
  s->v = tmp;
  s->t += s->dt;
  return most;
}
int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage\n");
    exit(2);
  }
  state *s = create(atoi(argv[1]), atoi(argv[2]));
  if (!s) {
    perror("create");
    return 1;
  }
  s->dt = 0.01;
  for (int i = 0; i < s->nx * s->ny; i++) { /* nx*ny */
    s->u[i] = i % 3;
  }
  int steps = 0;
  double change;
  do { /* steps */
    change = step(s);
    steps++;
  } while (change > 1e-3 && s->t < 0.1);
  printf("%d\n", steps);
  free(s->u);
  free(s->v);
  free(s);
  return 0;
}
