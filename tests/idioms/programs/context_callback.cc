// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
struct Context {
  int m;
  long sum;
};
static void visit(void *context, int i) {
  auto *c = static_cast<Context *>(context);
  for (int j = 0; j < c->m; ++j) { /* law: n*m */
    c->sum += i * j;
  }
}
static void each(int n, void (*f)(void *, int), void *context) {
  for (int i = 0; i < n; ++i) { /* law: n */
    f(context, i);
  }
}
template <typename F> void apply(int n, F &&f) {
  for (int i = 0; i < n; ++i) { /* law: n */
    f(i);
  }
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Context c{std::atoi(argv[2]), 0};
  each(n, visit, &c);
  long t = 0;
  apply(n, [&](int i) {
    for (int j = 0; j < c.m; ++j) { /* law: n*m */
      t += j;
    }
  });
  return (c.sum + t) & 1;
}
