// args: 3 2 | 4 1 | 10 7
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct A { int k; std::vector<int> v; explicit A(int n) : k(n), v(n) {} };
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), s = 0;
  auto a = std::make_shared<A>(n);
  std::vector<std::shared_ptr<A>> all;
  for (int i = 0; i < m; ++i) { /* law: m */
    all.push_back(a);
  }
  auto b = a;
  for (int i = 0; i < a.use_count(); ++i) { /* law: parametric */
    s++;
  }
  b.reset();
  for (int i = 0; i < a.use_count(); ++i) { /* law: parametric */
    s++;
  }
  std::printf("%d\n", s);
}
