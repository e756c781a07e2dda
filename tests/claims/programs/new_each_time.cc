// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
#include <vector>
struct C { int k = 0; void inc() { k++; } };
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  for (int i = 0; i < n; i++) {
    C *c = new C;
    c->inc();
    for (int j = 0; j < c->k; j++) {
      s++;
    }
    delete c;
    std::vector<int> v;
    for (int j = 0; j < i; j++) {
      v.push_back(j);
    }
    for (int x : v) {
      s += x;
    }
    C d;
    d.inc();
    d.inc();
    for (int j = 0; j < d.k; j++) {
      s++;
    }
  }
  C *last = nullptr;
  for (int i = 0; i < n; i++) {
    if (i % 4 == 0) {
      last = new C;
    }
    last->inc();
  }
  if (last) {
    for (int j = 0; j < last->k; j++) {
      s++;
    }
  }
  return s & 1;
}
