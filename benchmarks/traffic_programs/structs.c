#include "kernels.h"
struct particle { double x, y, z, vx, vy, vz, mass; int id; };
double kernel(int n, int m, struct particle *p, float *fx, float *fy) {
  double e = 0;
  for (int t = 0; t < m; t++) {
    for (int i = 0; i < n; i++) e += p[i].mass * p[i].vx;
    for (struct particle *q = p + n - 1; q >= p; q--) q->x += q->vx;
    for (int i = 0; i < n; i++) fx[i] += fy[i];
  }
  return e;
}
int main(int argc, char **argv) {
  int n = N, m = M;
  struct particle *p = NEW(struct particle, n);
  float *fx = NEW(float, n), *fy = NEW(float, n);
  MEASURED(n, m, p, fx, fy);
}
