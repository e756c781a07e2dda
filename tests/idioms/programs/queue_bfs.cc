// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <queue>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::queue<int> q;
  for (int i = 0; i < n; ++i) { /* law: n */
    q.push(i);
  }
  long s = 0;
  while (!q.empty()) { /* law: n */
    s += q.front();
    q.pop();
  }
  std::printf("%ld\n", s);
}
