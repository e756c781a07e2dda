// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
#include <stdexcept>
#include <vector>
struct B { int n = 0; };
static void add(B &b, int i) {
  if (i == 9) {
    throw std::runtime_error("no");
  }
  b.n++;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  B b;
  try {
    for (int i = 0; i < n; i++) {
      add(b, i);
    }
  } catch (const std::exception &) {
    s++;
  }
  for (int i = 0; i < b.n; i++) {
    s++;
  }
  std::vector<int> v;
  for (int i = 0; i < n; i++) {
    if (i > 11) {
      break;
    }
    v.push_back(i);
    if (i % 3 == 0) {
      continue;
    }
    v.push_back(i);
  }
  for (int x : v) {
    s += x;
  }
  int k = 0;
  int *p = &k;
  do {
    ++*p;
  } while (*p < n);
  for (int i = 0; i < k; i++) {
    s++;
  }
  return s & 1;
}
