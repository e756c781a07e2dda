// args: 0 2 | 1 1 | 5 3 | 20 4
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_map>

class Index {
  std::map<int, int> rows_;

public:
  void fill(int from, int n) {
    for (int i = 0; i < n; ++i) { /* law: 4*n + 1 */
      rows_[from + i] = i;
    }
  }
  void refill(int n) {
    rows_.clear();
    for (int i = 0; i < n; ++i) { /* law: n*m */
      rows_.emplace(2 * i, i);
    }
  }
  long total() const {
    long s = 0;
    for (const auto &r : rows_) { /* law: parametric */
      s += r.second;
    }
    return s;
  }
  long last() const {
    long s = 0;
    for (const auto &r : rows_) { /* law: parametric */
      s += r.second;
    }
    return s;
  }
};

static std::unordered_map<long, int> seen;
static std::set<int> twice;

static void note(long n) {
  for (long i = 0; i < n; ++i) { /* law: n + 3 */
    seen[7 * i] = 1;
    if (i % 3 == 2) { // takes one out again
      seen.erase(7 * i);
    }
  }
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Index a, b;
  a.fill(0, n);
  a.fill(n / 2, n); // some of these keys are there already
  b.fill(0, n + 1);
  b.fill(0, n);
  long s = a.total() + b.total();
  for (int k = 0; k < m; ++k) { /* law: m */
    b.refill(n);
  }
  s += b.last();
  note(n + 3);
  for (const auto &e : seen) { /* law: parametric */
    s += e.second;
  }
  for (int k = 0; k < 2; ++k) { /* law: 2 */
    for (int i = 0; i < n; ++i) { /* law: 2*n */
      twice.insert(i); // the second time nothing is new
    }
  }
  for (int t : twice) { /* law: parametric */
    s += t;
  }
  std::map<int, int> local;
  std::map<int, int> *other = &local;
  for (int i = 0; i < n; ++i) { /* law: n */
    local[i] = i;
    other->erase(i - 1); // by another name
  }
  for (const auto &e : local) { /* law: parametric */
    s += e.second;
  }
  std::printf("%ld\n", s);
}
