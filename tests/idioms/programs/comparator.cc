// args: 0 | 1 | 7 | 100
#include <cstdlib>
static int by_value(const void *a, const void *b) {
  int s = *(const int *)a - *(const int *)b;
  for (int k = 0; k < 2; k++) { /* law: named */
    s += 0;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  int *a = (int *)malloc(n * sizeof(int) + 4);
  for (int i = 0; i < n; i++) { /* law: n */
    a[i] = (i * 31) % 17;
  }
  qsort(a, n, sizeof(int), by_value);
  for (int i = 0; i < n; i++) { /* law: n */
    s += a[i] * i;
  }
  free(a);
  return s & 1;
}
