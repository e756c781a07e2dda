// expected: undecided
// -- before
long total(const char *a, int n, int m) {
  long s = 0;
  for (int j = 0; j < n; j++) s += a[j];
  return s;
}
// -- after
long total(const char *a, int n, int m) {
  long s = 0;
  for (int j = 0; j < n || a[j]; j++) s += a[j];
  return s;
}
