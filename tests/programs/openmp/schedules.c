// vary: n=-2:17 m=0:9; exact: 17 of 17
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static double f(int k) {
  double s = 0;
  for (int i = 0; i < k; i++) {
    s += i;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int m = atoi(argv[2]);
  double s = 0;
  #pragma omp parallel for
  for (int i = 0; i < n; i++) {
    #pragma omp atomic
    s += i;
  }
  #pragma omp parallel for schedule(static, 3)
  for (int i = n; i >= -1; i -= 2) {
    for (int j = 0; j < i; j++) {
      #pragma omp atomic
      s += j;
    }
  }
  #pragma omp parallel for schedule(dynamic) reduction(+:s)
  for (int i = m; i < n; i += 3) {
    s += f(i);
  }
  #pragma omp parallel for schedule(guided, 2) reduction(+:s)
  for (long i = 0; i < (long)n * m; i++) {
    s += i;
  }
  for (int t = 0; t < m; t++) {
    #pragma omp parallel for schedule(dynamic, 2) num_threads(3)
    for (unsigned i = 0; i < m; i++) {
      for (int k = 0; k < n; k++) {
        #pragma omp atomic
        s += k;
      }
    }
  }
  #pragma omp parallel
  {
    int t = omp_get_thread_num(), p = omp_get_num_threads();
    for (int i = t; i < n; i += p) {
      #pragma omp atomic
      s += i;
    }
    int from = t * n / p, to = (t + 1) * n / p;
    for (int i = from; i < to; i++) {
      #pragma omp atomic
      s += i;
    }
    #pragma omp sections
    {
      #pragma omp section
      for (int i = 0; i < n; i++) {
        s += 1;
      }
      #pragma omp section
      for (int i = 0; i < m; i++) {
        s += 1;
      }
    }
    for (int r = 0; r < m; r++) {
      #pragma omp for
      for (int i = 0; i < n; i++) {
        #pragma omp atomic
        s += 1;
      }
      #pragma omp master
      for (int i = 0; i < r; i++) {
        s += 1;
      }
      #pragma omp barrier
    }
  }
  printf("%g\n", s);
  return 0;
}
