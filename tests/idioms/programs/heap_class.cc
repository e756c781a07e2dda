// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
#include <algorithm>
struct Heap {
  std::vector<int> h;
  void push(int v) {
    h.push_back(v);
    std::push_heap(h.begin(), h.end());
  }
  int pop() {
    std::pop_heap(h.begin(), h.end());
    int v = h.back();
    h.pop_back();
    return v;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Heap q;
  for (int i = 0; i < n; ++i) { /* law: n */
    q.push((i * 7919) % 101);
  }
  long s = 0;
  while (!q.h.empty()) { /* law: n */
    s += q.pop();
  }
  std::printf("%ld\n", s);
}
