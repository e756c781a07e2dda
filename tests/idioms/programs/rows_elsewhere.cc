// args: 3 5 | 10 2 | 0 4 | 6 6
#include <cstdlib>
#include <vector>
#include <list>
#include <deque>
struct Cell { std::vector<int> items; int k = 0; };
class Field {
public:
  Field(int n, int m) : a_(n, std::vector<double>(m)), b_(m, std::vector<double>(n)), n_(n) {}
  double left() const {
    double s = 0;
    for (const auto &r : a_) { /* law: n + 2 */
      for (double x : r) { /* law: parametric */
        s += x;
      }
    }
    return s;
  }
  void grow() { n_++; a_.push_back(std::vector<double>(3)); }
  int n() const { return n_; }
private:
  std::vector<std::vector<double>> a_, b_;
  int n_;
};
static void cut(std::vector<std::vector<int>> &v) { v.pop_back(); v.back().clear(); }
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]) + 2, m = std::atoi(argv[2]), t = 0;
  std::vector<Cell> cells(n);
  for (auto &c : cells) { /* law: n + 2 */
    for (int x : c.items) { /* law: parametric */
      t += x;
    }
    c.items.resize(m);
  }
  for (auto &c : cells) { /* law: n + 2 */
    for (int x : c.items) { /* law: parametric */
      t += x;
    }
  }
  std::vector<std::vector<int>> v(n, std::vector<int>(m));
  cut(v);
  for (auto &r : v) { /* law: n + 1 */
    for (int x : r) { /* law: parametric */
      t += x;
    }
  }
  std::vector<std::vector<std::vector<int>>> d(n, std::vector<std::vector<int>>(m, std::vector<int>(4)));
  for (auto &p : d) { /* law: n + 2 */
    for (auto &r : p) { /* law: (n + 2)*m */
      for (int x : r) { /* law: parametric */
        t += x;
      }
    }
  }
  d[0].resize(1);
  for (auto &p : d) { /* law: n + 2 */
    for (auto &r : p) { /* law: parametric */
      t += r.size();
    }
  }
  std::vector<std::list<int>> l(n);
  l[1].push_back(3);
  for (auto &q : l) { /* law: n + 2 */
    for (int x : q) { /* law: parametric */
      t += x;
    }
  }
  std::vector<std::vector<int>> e(n, std::vector<int>(m));
  std::vector<int> *row = &e[1];
  row->assign(9, 1);
  for (auto &r : e) { /* law: n + 2 */
    for (int x : r) { /* law: parametric */
      t += x;
    }
  }
  std::vector<std::vector<int>> g(n, std::vector<int>(m));
  g.erase(g.begin());
  g.insert(g.begin(), std::vector<int>(m + 1));
  for (auto &r : g) { /* law: n + 2 */
    for (int x : r) { /* law: parametric */
      t += x;
    }
  }
  Field f(n, m);
  t += f.left();
  std::vector<std::vector<bool>> bits(n, std::vector<bool>(m));
  bits[0].resize(2);
  for (auto &r : bits) { /* law: n + 2 */
    for (bool x : r) { /* law: parametric */
      t += x;
    }
  }
  std::vector<int> rows[3];
  for (auto &r : rows) { /* law: 3 */
    r.push_back(m);
  }
  rows[1].resize(5);
  for (auto &r : rows) { /* law: 3 */
    for (int x : r) { /* law: parametric */
      t += x;
    }
  }
  return t & 1;
}
