// expected: undecided
// -- before
long total(const char *a, int n, int m) {
  long s = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) s += a[j] ^ i;
  return s;
}
// -- after
long total(const char *a, int n, int m) {
  long s = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n * m && a[j]; j++) s += a[j] ^ i;
  return s;
}
