// expected: nothing
// -- before
struct row { int n, m; char *a; long sum; };
void fill(struct row *r) {
  long s = 0;
  for (int j = 0; j < r->n; j++) s += r->a[j];
  r->sum = s;
}
// -- after
struct row { int n, m; char *a; long sum; };
void fill(struct row *r) {
  long s = 0;
  for (int j = 0; j < r->n && r->a[j]; j++) s += r->a[j];
  r->sum = s;
}
