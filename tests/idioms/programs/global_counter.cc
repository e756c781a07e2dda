// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
namespace {
int calls = 0;
std::vector<int> history;
void record(int x) {
  ++calls;
  history.push_back(x);
}
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), s = 0;
  for (int i = 0; i < n; ++i) { /* law: n */
    for (int j = 0; j < m; ++j) { /* law: n*m */
      record(i + j);
    }
  }
  for (int i = 0; i < calls; ++i) { /* law: n*m */
    s += i;
  }
  for (int x : history) { /* law: n*m */
    s += x;
  }
  return s & 1;
}
