#include "kernels.h"
void kernel(int n, int m, int *key, int *h) {
  for (int i = 0; i < n; i++) h[key[i]]++;
}
int main(int argc, char **argv) {
  int n = N, m = M, *key = NEW(int, n), *h = NEW(int, m);
  for (int i = 0; i < n; i++) key[i] = chance(m);
  MEASURED(n, m, key, h);
}
