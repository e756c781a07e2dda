// args: 2 1 | 5 3
#include <cstdlib>
#include <cstdio>
#include <vector>
struct Field3 {
  int nx, ny, nz;
  std::vector<float> v;
  Field3(int n) : nx(n), ny(n), nz(n), v((size_t)n * n * n) {
  }
  float &at(int i, int j, int k) {
    return v[((size_t)k * ny + j) * nx + i];
  }
};
static void relax(Field3 &a, Field3 &b) {
  for (int k = 1; k < a.nz - 1; k++) { /* law: 2*m*(n-2) */
    for (int j = 1; j < a.ny - 1; j++) { /* law: 2*m*(n-2)**2 */
      for (int i = 1; i < a.nx - 1; i++) { /* law: 2*m*(n-2)**3 */
        b.at(i, j, k) = 0.5f * (a.at(i - 1, j, k) + a.at(i + 1, j, k));
      }
    }
  }
}
int main(int argc, char **argv) {
  Field3 a(std::atoi(argv[1])), b(std::atoi(argv[1]));
  int steps = std::atoi(argv[2]);
  for (int t = 0; t < steps; ++t) { /* law: m */
    relax(a, b);
    relax(b, a);
  }
  std::printf("%g\n", a.v[0]);
}
