// vary: n=-2:17 m=0:9; exact: 10 of 11, and the loop around a collapsed one
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static void fill(double *a, int n) {
  #pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++) {
    a[0] = i + j;
  }
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int m = atoi(argv[2]);
  double a[1] = {0}, s = 0;
  int last = 0;
  fill(a, n);
  #pragma omp parallel if(m > 3)
  {
    for (int i = 0; i < n; i++) {
      #pragma omp atomic
      s += 1;
    }
    #pragma omp for
    for (int i = 0; i < m; i++) {
      #pragma omp critical
      s += 1;
    }
  }
  #pragma omp parallel for lastprivate(last)
  for (int i = 0; i < m; i++) {
    last = 2 * i;
  }
  for (int i = 0; i < last; i++) {
    s += 1;
  }
  #pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < n; i++) {
      #pragma omp atomic
      s += 1;
    }
    #pragma omp single
    {
      for (int i = 0; i < m; i++) {
        #pragma omp task
        for (int j = 0; j < n; j++) {
          #pragma omp atomic
          s += 1;
        }
      }
    }
    #pragma omp parallel
    for (int i = 0; i < n; i++) {
      #pragma omp atomic
      s += 1;
    }
  }
  #pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < n; i++) {
    #pragma omp ordered
    s += i;
    #pragma omp simd
    for (int j = 0; j < i; j++) {
      a[0] = j;
    }
  }
  printf("%g %g\n", s, a[0]);
  return 0;
}
