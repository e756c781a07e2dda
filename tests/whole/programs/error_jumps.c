/* 4 3: n=4 m=3 | 6 5: n=6 m=5 | 1 1: n=1 m=1 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf top;
static int failures;
static int check(int i, int limit) {
  int s = 0;
  for (int k = 0; k < i; k++) { /* calls*each */
    s += k;
    if (s > limit) {
      longjmp(top, 1);
    }
  }
  return s;
}
int main(int argc, char **argv) {
  if (argc < 3) {
    return 1;
  }
  volatile int n = atoi(argv[1]), m = atoi(argv[2]), i = 0;
  if (setjmp(top)) {
    failures++;
    i++;
  }
  while (i < n) { /* data */
    check(i, m);
    i++;
  }
  printf("%d\n", failures);
  return 0;
}
