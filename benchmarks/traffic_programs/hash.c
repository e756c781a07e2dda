#include "kernels.h"
int kernel(int n, int m, long *table, long *key) {
  int hits = 0;
  for (int k = 0; k < n; k++) {
    unsigned h = (unsigned)(key[k] * 2654435761u) % m;
    if (table[h] == key[k]) hits++;
  }
  return hits;
}
int main(int argc, char **argv) {
  int n = N, m = M;
  long *table = NEW(long, m), *key = NEW(long, n);
  for (int k = 0; k < n; k++) key[k] = chance(1u << 30);
  MEASURED(n, m, table, key);
}
