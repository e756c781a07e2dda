// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
struct Q { int head = 0, tail = 0; int a[512]; };
static int calls;
static void put(Q *q, int x) { q->a[q->tail++] = x; calls++; }
static int take(Q *q) { return q->a[q->head++]; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  Q q;
  put(&q, n);
  while (q.head < q.tail) {
    int x = take(&q);
    if (x > 1) {
      put(&q, x - 1);
    }
  }
  for (int i = 0; i < calls; i++) {
    s++;
  }
  Q r;
  int *p = &r.tail;
  for (int i = 0; i < n; i++) {
    put(&r, i);
    if (i == 5) {
      *p -= 2;
    }
  }
  for (int i = 0; i < r.tail; i++) {
    s++;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      r.head++;
    }
    r.head += 2;
  }
  for (int i = 0; i < r.head; i++) {
    s++;
  }
  Q t[3];
  for (int i = 0; i < n; i++) {
    t[i % 3].head++;
  }
  for (int i = 0; i < t[1].head; i++) {
    s++;
  }
  return s & 1;
}
