/* 4 3: n=4 m=3 | 6 5: n=6 m=5 | 1 1: n=1 m=1 | 9 2: n=9 m=2 */
#include <stdio.h>
#include <stdlib.h>
static int height[3];
static long moves;
static void carry(int n, int from, int to, int via);
static void lift(int n, int from, int to, int via) {
  if (n == 0) return;
  carry(n - 1, from, via, to);
  height[from]--;
  height[to]++;
  for (int k = 0; k < 2; k++) { /* 2*(2**n - 1) */
    moves++;
  }
  carry(n - 1, via, to, from);
}
static void carry(int n, int from, int to, int via) { lift(n, from, to, via); }
static int ping(int n, int k);
static int pong(int n, int k) { return n <= 0 ? k : ping(n - 3, k + 1); }
static int ping(int n, int k) {
  for (int i = 0; i < k; i++) { /* (ceiling(n/3) + 1)*(2*m + ceiling(n/3))/2 */
    moves++;
  }
  return pong(n, k);
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  height[0] = n;
  lift(n, 0, 2, 1);
  ping(n, m);
  printf("%ld\n", moves);
  return 0;
}
