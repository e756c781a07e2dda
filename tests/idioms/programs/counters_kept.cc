// args: 3 5 | 10 2 | 0 4 | 6 6
#include <cstdlib>
#include <stack>
#include <vector>
struct S { int a, b; };
static void inc(S *s) { s->a++; }
static void maybe(S *s, int i) { if (i % 3 == 0) s->a++; }
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), t = 0;
  S s = {0, 0};
  for (int i = 0; i < n; i++) { /* law: parametric */
    inc(&s);
    if (i == 4) break;
  }
  for (int i = 0; i < s.a; i++) { /* law: parametric */
    t++;
  }
  S q = {0, 0};
  for (int i = 0; i < n; i++) { /* law: n */
    maybe(&q, i);
  }
  while (q.a > 0) { /* law: parametric */
    q.a--;
    q.b++;
  }
  for (int i = 0; i < q.b; i++) { /* law: parametric */
    t++;
  }
  S r = {1, 0};
  for (int i = 0; i < n; i++) { /* law: n */
    for (int j = 0; j < r.a; j++) { /* law: parametric */
      r.b++;
    }
    r.a += r.b;
    if (r.a > 100) r.a = 1, r.b = 0;
  }
  std::stack<int, std::vector<int>> st;
  for (int i = 0; i < n; i++) { /* law: n */
    st.push(i);
    while (st.size() > 2) { /* law: parametric */
      st.pop();
    }
  }
  while (!st.empty()) { /* law: parametric */
    st.pop();
    t++;
  }
  S x = {0, 0}, *p = &x;
  for (int i = 0; i < n; i++) { /* law: n */
    p->a += 2;
    S *y = (i & 1) ? &x : &s;
    y->b = i;
  }
  for (int i = 0; i < m; i++) { /* law: m */
    x.a -= 1;
  }
  for (int i = 0; i < x.a; i++) { /* law: parametric */
    t++;
  }
  return t & 1;
}
