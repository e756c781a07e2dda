// expected: undecided
// -- before
struct g { int n; long *memo; int *a; };
long best(struct g *g, int i) {
  if (i >= g->n) return 0;
  if (g->memo[i] >= 0) return g->memo[i];
  long x = best(g, i + 1), y = best(g, i + 2) + g->a[i];
  long r = x > y ? x : y;
  g->memo[i] = r;
  return r;
}
// -- after
struct g { int n; long *memo; int *a; };
long best(struct g *g, int i) {
  if (i >= g->n) return 0;
  if (g->memo[i] >= 0) return g->memo[i];
  long x = best(g, i + 1), y = best(g, i + 2) + g->a[i];
  long r = x > y ? x : y;
  
  return r;
}
