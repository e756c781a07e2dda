// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <iterator>
#include <list>
#include <map>
#include <set>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::list<int> values;
  for (int i = 0; i < n; ++i) { /* law: n */
    values.push_front(i);
  }
  for (std::list<int>::iterator it = values.begin(); it != values.end(); ++it) { /* law: n */
    s += *it;
  }
  std::multiset<int> sorted;
  for (int x : values) { /* law: n */
    sorted.insert(x % 3);
  }
  for (auto it = sorted.cbegin(); it != sorted.cend(); ++it) { /* law: n */
    s += *it;
  }
  std::map<int, int> counts;
  for (int x : sorted) { /* law: n */
    counts[x]++;
  }
  for (const auto &[key, count] : counts) { /* law: parametric */
    s += key * count;
  }
  while (!values.empty()) { /* law: n */
    s += values.front();
    values.pop_front();
  }
  return s & 1;
}
