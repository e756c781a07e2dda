/* 16 10: n=16 steps=10 | 20 12: n=20 steps=12 | 3 0: n=3 steps=0 */
#include <stdio.h>
#include <stdlib.h>
typedef void (*observer)(int step, int width);
struct hooks {
  observer before, after;
};
static long seen;
static int tally[3];
static void record(int step, int width) {
  for (int i = 0; i < width; i++) { /* n*n + 3*n*steps */
    seen += step;
  }
}
static void advance(int steps, int n, observer see, int *count) {
  for (int k = 0; k < steps; k++) { /* 2*steps */
    if (see != NULL) {
      for (int j = 0; j < 3; j++) { /* 3*steps */
        see(k, n);
      }
    }
    if (count) {
      for (int j = 0; j < 3; j++) { /* 3*steps */
        count[j]++;
      }
    }
  }
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), steps = atoi(argv[2]);
  struct hooks h = {NULL, record};
  for (int k = 0; k < n; k++) { /* n */
    if (h.before) {
      h.before(k, n);
    }
    if (h.after) {
      h.after(k, n);
    }
  }
  advance(steps, n, record, NULL);
  advance(steps, n, NULL, tally);
  printf("%ld %d\n", seen, tally[1]);
  return 0;
}
