// args: 0 2 | 1 3 | 7 2 | 20 5
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <utility>
struct Nearly {
  bool operator()(int a, int b) const { return a / 2 < b / 2; }
};
static void put(std::set<int> &into, int n) {
  for (int i = 0; i < n; i++) { /* law: n + m */
    into.insert(i / 2 + 100);
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  long s = 0;
  std::map<int, int> sums;
  for (int r = 0; r < m; r++) { /* law: m */
    for (int i = 0; i < n; i++) { /* law: m*n */
      sums[i + r]++;
    }
  }
  for (auto &kv : sums) { /* law: parametric */
    s += kv.first;
  }
  std::set<int> twice;
  for (int i = 0; i < n; i++) { /* law: n */
    twice.insert(i);
  }
  for (int i = 0; i < n; i++) { /* law: n */
    twice.insert(i + 3);
  }
  for (int x : twice) { /* law: parametric */
    s += x;
  }
  std::set<short> narrow;
  for (int i = 0; i < n; i++) { /* law: n */
    narrow.insert(i * 16384);
  }
  for (int x : narrow) { /* law: parametric */
    s += x;
  }
  std::set<int, Nearly> near;
  for (int i = 0; i < n; i++) { /* law: n */
    near.insert(i);
  }
  for (int x : near) { /* law: parametric */
    s += x;
  }
  std::set<int, std::greater<int>> elsewhere;
  for (int i = 0; i < n; i++) { /* law: n */
    elsewhere.insert(i);
  }
  put(twice, n);
  std::set<int> handed;
  for (int i = 0; i < n; i++) { /* law: n */
    handed.insert(i);
  }
  put(handed, m);
  for (int x : handed) { /* law: parametric */
    s += x;
  }
  std::set<int> other, kept;
  for (int i = 0; i < n; i++) { /* law: n */
    kept.insert(i);
    other.insert(i % 3);
    if (i == 4) {
      std::swap(kept, other);
    }
  }
  for (int x : kept) { /* law: parametric */
    s += x;
  }
  std::set<int> outside;
  for (int r = 0; r < m; r++) { /* law: m */
    for (int i = 0; i < n; i++) { /* law: m*n */
      outside.insert(i);
    }
  }
  for (int x : outside) { /* law: parametric */
    s += x;
  }
  std::set<unsigned> round;
  for (unsigned i = 0; i < (unsigned)n; i++) { /* law: n */
    round.insert(i << 31);
  }
  for (unsigned x : round) { /* law: parametric */
    s += x;
  }
  return s & 1;
}
