// args: 3 2 | 4 1 | 10 7
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
static int g;
struct A { int k; explicit A(int n) : k(n) {} ~A() { g += k; } };
struct B { std::vector<int> v; explicit B(int n) : v(n) {} ~B() { 
  for (int x : v) { /* law: parametric */
    g += x; 
  }
 } };
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), s = 0;
  {
    auto a = std::make_shared<A>(n);
    std::weak_ptr<A> w = a;
    for (int i = 0; i < (w.expired() ? 3 : 4); ++i) { /* law: parametric */
      s++;
    }
    a.reset();
    for (int i = 0; i < (w.lock() ? 3 : 4); ++i) { /* law: parametric */
      s++;
    }
  }
  {
    auto b = std::make_shared<B>(n);
    auto c = b;
    s += c->v.size();
  }
  for (int i = 0; i < g; ++i) { /* law: parametric */
    s++;
  }
  std::printf("%d\n", s);
}
