// expected: nothing
// -- before
long build(const long *a, int lo, int hi) {
  if (hi - lo < 1) return 0;
  if (hi - lo == 1) return a[lo];
  int mid = lo + (hi - lo) / 2;
  long s = 0;
  for (int i = lo; i < hi; i++) s += a[i];
  return s + build(a, lo, mid) + build(a, mid, hi);
}
// -- after
long build(const long *a, int lo, int hi) {
  if (hi - lo < 1) return 0;
  if (hi - lo == 1) return a[lo];
  int mid = (lo + hi) / 2;
  long s = 0;
  for (int i = lo; i < hi; i++) s += a[i];
  return s + build(a, lo, mid) + build(a, mid, hi);
}
