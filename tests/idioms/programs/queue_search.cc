// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <queue>
#include <stack>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::queue<int> work;
  for (int i = 0; i < n; ++i) { /* law: n */
    work.push(i);
  }
  while (!work.empty()) { /* law: n */
    int at = work.front();
    work.pop();
    s += at;
  }
  std::stack<int> open;
  open.push(1);
  for (int i = 0; i < n; ++i) { /* law: n */
    open.push(i);
  }
  while (!open.empty()) { /* law: n + 1 */
    s ^= open.top();
    open.pop();
  }
  std::priority_queue<int> heap;
  for (int i = 0; i < n; ++i) { /* law: n */
    heap.push(n - i);
  }
  while (!heap.empty()) { /* law: n */
    s += heap.top();
    heap.pop();
  }
  return s & 1;
}
