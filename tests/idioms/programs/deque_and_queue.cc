// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <deque>
#include <queue>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::deque<int> d;
  for (int i = 0; i < n; i++) { /* law: n */
    d.push_back(i);
  }
  for (int x : d) { /* law: n */
    s += x;
  }
  std::queue<int> q;
  for (int i = 0; i < n; i++) { /* law: n */
    q.push(i);
  }
  while (!q.empty()) { /* law: n */
    s += q.front();
    q.pop();
  }
  return s & 1;
}
