// args: 0 2 | 1 3 | 7 2 | 20 5
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  long s = 0;
  std::set<long> down;
  for (long i = n; i > 0; i--) { /* law: n */
    down.insert(3 * i + 1);
  }
  for (long x : down) { /* law: n */
    s += x;
  }
  std::unordered_set<int> some;
  for (int i = 0; i < n; i++) { /* law: n */
    if (i % 2 == 0) {
      some.insert(n - i);
    }
  }
  for (int x : some) { /* law: ceiling(n/2) */
    s += x;
  }
  for (int r = 0; r < m; r++) { /* law: m */
    std::map<int, int> fresh;
    for (int i = 0; i <= r; i++) { /* law: m*(m + 1)/2 */
      fresh.insert({i + r, 3});
    }
    for (auto &kv : fresh) { /* law: m*(m + 1)/2 */
      s += kv.first;
    }
  }
  std::unordered_map<unsigned, int> squares;
  for (unsigned i = 0; i < (unsigned)n; i++) { /* law: n */
    squares[i] = i * i;
  }
  squares.erase(3);
  for (std::size_t k = 0; k < down.size(); k++) { /* law: n */
    s += squares.count(k);
  }
  std::map<int, int> kept;
  {
    std::map<int, int> local;
    for (int i = 0; i < n; i++) { /* law: n */
      local[2 * i] = i;
    }
    kept = local;
  }
  for (auto &kv : kept) { /* law: n */
    s += kv.second;
  }
  return s & 1;
}
