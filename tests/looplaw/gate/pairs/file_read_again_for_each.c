// expected: growth
// -- before
#include <stdio.h>
int find_all(FILE *f, const int *ids, int n, int *where) {
  int found = 0, id, off;
  for (int i = 0; i < n; i++) {
    
    while (fscanf(f, "%d %d", &id, &off) == 2) if (id == ids[i]) { where[i] = off; found++; break; }
  }
  return found;
}
// -- after
#include <stdio.h>
int find_all(FILE *f, const int *ids, int n, int *where) {
  int found = 0, id, off;
  for (int i = 0; i < n; i++) {
    rewind(f);
    while (fscanf(f, "%d %d", &id, &off) == 2) if (id == ids[i]) { where[i] = off; found++; break; }
  }
  return found;
}
