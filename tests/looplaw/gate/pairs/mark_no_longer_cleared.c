// expected: undecided
// -- before
struct s { int n, dirty; long *v; long sum; };
long sum(struct s *s) {
  if (s->dirty) {
    s->sum = 0;
    for (int i = 0; i < s->n; i++) s->sum += s->v[i];
    s->dirty = 0;
  }
  return s->sum;
}
// -- after
struct s { int n, dirty; long *v; long sum; };
long sum(struct s *s) {
  if (s->dirty) {
    s->sum = 0;
    for (int i = 0; i < s->n; i++) s->sum += s->v[i];
    
  }
  return s->sum;
}
