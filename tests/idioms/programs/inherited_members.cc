// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <vector>
struct Base {
  int n = 4;
  std::vector<int> v;
  Base() = default;
  explicit Base(int k) : n(k), v(k) {}
  virtual ~Base() = default;
};
struct Derived : Base {
  int m;
  Derived(int a, int b) : Base(a), m(b) {}
  explicit Derived(int a) : Derived(a, 2 * a) {}
  int work() {
    int s = 0;
    for (int i = 0; i < n; i++) { /* law: n */
      s += i;
    }
    for (int i = 0; i < m; i++) { /* law: 2*n */
      s += i;
    }
    for (int x : v) { /* law: n */
      s += x;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Derived d(n);
  Base b;
  int s = d.work();
  for (int i = 0; i < b.n; i++) { /* law: 4 */
    s += i;
  }
  return s & 1;
}
