/* args: 0 | 1 | 7 | 30 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned state = 5;
static volatile long fuel;
__attribute__((noinline)) static int pick(void) { state = state * 1103515245u + 12345u; return state >> 16 & 15; }
__attribute__((noinline)) static int spent(void) { fuel = fuel + 1; return fuel > 4000; }
static int seen[16], other[16], left[16];
static signed char colors[4][4];
struct pair { short a, b; };
static struct pair pairs[16];
static int taken_back(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick(), v = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { seen[w] = 1; seen[v] = 0; c += 2; }
  }
  return s;
}
static int another_cell(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick(), v = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { seen[v] = 1; c += 2; }
  }
  return s;
}
static int through_pointer(int c, int *p) {
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { seen[w] = 1; c += 2; }
    p[pick()] = 0;
  }
  return s;
}
static int index_changed(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { w = pick(); seen[w] = 1; c += 2; }
  }
  return s;
}
static int below_zero(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (--left[w] < 0) c += 1;
  }
  return s;
}
static int counted_up_again(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick(), v = pick();
    s++;
    if (spent()) break;
    c--;
    if (--left[w] == 0) c += 2;
    left[v] += 3;
  }
  return s;
}
static int other_member(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!pairs[w].a) { pairs[w].b = 1; c += 2; }
  }
  return s;
}
static int as_bytes(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!seen[w]) { seen[w] = 1; c += 2; }
    if (w == 3) memset(seen, 0, sizeof seen / 2);
  }
  return s;
}
static int two_colors(int c, int first) {
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (colors[w / 4][w % 4] == first) { colors[w / 4][w % 4] = (signed char)(first ^ 1); c += 2; }
    if (w == 5) first ^= 1;
  }
  return s;
}
static int asked_elsewhere(int c) {
  int s = 0;
  while (c > 0) {
    int w = pick();
    s++;
    if (spent()) break;
    c--;
    if (!other[w]) { seen[w] = 1; c += 2; }
  }
  return s;
}
static int once_for_each(int c, int rounds) {
  int s = 0;
  for (int r = 0; r < rounds; r++) {
    memset(seen, 0, sizeof seen);
    c += 1;
    while (c > 0) {
      int w = pick();
      s++;
      if (spent()) break;
      c--;
      if (!seen[w]) { seen[w] = 1; c++; }
    }
  }
  return s;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  printf("%d\n", taken_back(n) + another_cell(n) + through_pointer(n, seen) + index_changed(n));
  fuel = 0;
  printf("%d\n", below_zero(n) + counted_up_again(n) + other_member(n) + as_bytes(n));
  fuel = 0;
  printf("%d\n", two_colors(n, 0) + asked_elsewhere(n) + once_for_each(n, n));
  return argc < 0;
}
