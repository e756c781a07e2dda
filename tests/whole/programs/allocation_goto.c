/* 4 3: n=4 m=3 | 6 5: n=6 m=5 | 1 1: n=1 m=1 | 9 2: n=9 m=2 */
#include <stdio.h>
#include <stdlib.h>
struct o { int n, k; };
struct t { double **rows; double *one; };
static int make(struct t *p, int n) {
  p->rows = calloc(n, sizeof *p->rows);
  p->one = NULL;
  for (int i = 0; i < n; i++) { /* n */
    p->rows[i] = malloc(8 * n);
    if (!p->rows[i]) goto fail;
  }
  p->one = malloc(8 * n);
  if (!p->one) goto fail;
fail:
  return p->one != NULL;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double **grid = malloc(n * sizeof *grid);
  for (int i = 0; i < n; i++) { /* n */
    grid[i] = calloc(n, sizeof **grid);
    if (!grid[i]) goto out;
  }
  for (int t = 0; t < m; t++) { /* m */
    grid[0][0] += 1;
  }
  struct t p;
  if (make(&p, n)) {
    for (int t = 0; t < m; t++) { /* m */
      p.rows[0][0] += 1;
    }
  }
out:
  for (int i = 0; i < n; i++) { /* n */
    free(grid[i]);
  }
  free(grid);
  return 0;
}
