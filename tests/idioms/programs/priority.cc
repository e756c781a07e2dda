// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <queue>
#include <vector>
#include <functional>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::priority_queue<int, std::vector<int>, std::greater<int>> pq;
  for (int i = n; i > 0; --i) { /* law: n */
    pq.push(i * 7 % 31);
  }
  long s = 0;
  while (!pq.empty()) { /* law: n */
    s += pq.top();
    pq.pop();
  }
  std::printf("%ld\n", s);
}
