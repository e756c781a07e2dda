// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <list>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::list<int> l;
  for (int i = 0; i < n; i++) { /* law: n */
    l.push_back(i);
  }
  int s = 0;
  for (int x : l) { /* law: n */
    s += x;
  }
  for (auto it = l.begin(); it != l.end(); ++it) { /* law: n */
    s += *it;
  }
  return s & 1;
}
