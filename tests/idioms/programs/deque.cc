// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <deque>
#include <cstdio>
struct Window {
  std::deque<int> d;
  void push(int x) {
    d.push_back(x);
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Window w;
  for (int i = 0; i < n; i++) { /* law: n */
    w.push(i);
  }
  int s = 0;
  for (auto it = w.d.rbegin(); it != w.d.rend(); ++it) { /* law: n */
    s += *it;
  }
  for (size_t i = 0; i < w.d.size(); i++) { /* law: n */
    s += w.d[i];
  }
  std::printf("%d\n", s);
}
