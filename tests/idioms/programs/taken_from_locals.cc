// args: 3 2 | 4 0 | 10 7 | 1 5
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
struct Field {
  std::vector<int> now_, old_;
  explicit Field(int n) : now_(n), old_(n + 2) {}
  void grow() { // one more each time
    std::vector<int> next(now_.size() + 1);
    for (std::size_t i = 0; i < now_.size(); ++i) { /* law: m*n + m*(m-1)/2 */
      next[i] = now_[i];
    }
    now_.swap(next);
  }
  void rotate() { // sizes change places: n, n + 2, n, ...
    std::vector<int> next = std::move(old_);
    old_ = std::move(now_);
    now_.swap(next);
  }
  void shrink(int k) {
    std::vector<int> next(k % 3);
    if (k % 2) {
      now_.swap(next);
    }
    for (int x : next) { /* law: parametric */
      now_.push_back(x);
    }
  }
  void keep_old() { // old_ is what now_ was
    std::vector<int> next(now_.size());
    old_.swap(now_);
    now_.swap(next);
  }
  long count() const {
    long s = 0;
    for (int x : now_) { /* law: parametric */
      s += x + 1;
    }
    for (int x : old_) { /* law: parametric */
      s += x;
    }
    return s;
  }
};
static long total(const std::vector<int> &v) {
  long s = 0;
  for (auto it = v.begin(); it != v.end(); ++it) { /* law: parametric */
    s += *it;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Field a(n), b(n), c(n), d(n);
  for (int k = 0; k < m; ++k) { /* law: m */
    a.grow();
  }
  for (int x : a.now_) { /* law: n + m */
    n += x;
  }
  for (int k = 0; k < m; ++k) { /* law: m */
    b.rotate();
    for (int x : b.now_) { /* law: parametric */
      n += x;
    }
  }
  long s = total(b.now_) + total(b.old_);
  for (int k = 0; k < m; ++k) { /* law: m */
    c.shrink(k);
  }
  s += c.count();
  for (int k = 0; k < m; ++k) { /* law: m */
    d.keep_old();
    for (int x : d.old_) { /* law: parametric */
      n += x;
    }
  }
  s += d.count();
  std::vector<int> *p = &d.now_;
  for (int k = 0; k < m; ++k) { /* law: m */
    d.keep_old();
    p->push_back(k);
  }
  s += total(d.now_) + total(*p);
  std::printf("%ld %d\n", s, n);
}
