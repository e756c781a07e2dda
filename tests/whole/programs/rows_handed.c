/* 4 3: n=4 m=3 | 6 5: n=6 m=5 | 1 1: n=1 m=1 | 9 2: n=9 m=2 */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int rows; int *ptr; double *val; } csr;
static void build(csr *a, int n, int k) {
  a->rows = n;
  a->ptr = malloc((n + 1) * sizeof(int));
  a->ptr[0] = 0;
  for (int i = 0; i < n; i++) { /* n */
    a->ptr[i + 1] = a->ptr[i] + k;
  }
}
static void multiply(const csr *a, double *y) {
  for (int i = 0; i < a->rows; i++) { /* n */
    y[i] = 1;
  }
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  csr a;
  build(&a, n, m);
  double *y = calloc(n, sizeof *y);
  multiply(&a, y);
  csr b;
  b.rows = n;
  b.ptr = malloc((n + 1) * sizeof(int));
  b.ptr[0] = 0;
  for (int i = 0; i < n; i++) { /* n */
    b.ptr[i + 1] = b.ptr[i] + m;
  }
  for (int i = 0; i < b.rows; i++) { /* n */
    for (int j = b.ptr[i]; j < b.ptr[i + 1]; j++) { /* n*m */
      y[i] += j;
    }
  }
  return 0;
}
