// args: 0 2 | 4 3 | 7 1
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Stage {
  const char *name;
  double (*run)(int);
};
static double scan(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* law: 2*m*n */
    s += i;
  }
  return s;
}
static double pairs(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* law: m*n */
    for (int j = 0; j < i; j++) { /* law: m*n*(n - 1)/2 */
      s += i * j;
    }
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  std::vector<Stage> stages;
  stages.push_back({"scan", scan});
  stages.push_back(Stage{"pairs", pairs});
  stages.push_back({"again", scan});
  double s = 0;
  for (int r = 0; r < m; r++) { /* law: m */
    for (const Stage &stage : stages) { /* law: 3*m */
      s += stage.run(n);
    }
  }
  std::printf("%g\n", s);
}
