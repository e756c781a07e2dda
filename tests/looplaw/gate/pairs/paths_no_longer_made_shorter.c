// expected: undecided
// -- before
int root(int *p, int x) {
  while (p[x] != x) { p[x] = p[p[x]]; x = p[x]; }
  return x;
}
// -- after
int root(int *p, int x) {
  while (p[x] != x) { x = p[x]; }
  return x;
}
