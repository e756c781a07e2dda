// args: 0 | 4 | 7
#include <array>
#include <cstdio>
#include <cstdlib>
static long once(int n) {
  long s = 0;
  for (int i = 0; i < n; i++) { /* law: 3*n */
    s += i;
  }
  return s;
}
static long twice(int n) {
  long s = 0;
  for (int i = 0; i < 2 * n; i++) { /* law: 6*n */
    s += i;
  }
  return s;
}
struct Bench {
  const char *name;
  long (*run)(int);
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  long s = 0;
  long (*plain[])(int) = {once, twice};
  for (auto f : plain) { /* law: 2 */
    s += f(n);
  }
  std::array<long (*)(int), 2> kept = {twice, once};
  for (auto f : kept) { /* law: 2 */
    s += f(n);
  }
  const Bench benches[] = {{"once", once}, {"twice", &twice}};
  for (const Bench &b : benches) { /* law: 2 */
    s += b.run(n) + (b.name == nullptr);
  }
  std::printf("%ld\n", s);
}
