// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <stack>
#include <vector>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::stack<int, std::vector<int>> st;
  for (int i = 0; i < 2 * n; ++i) { /* law: 2*n */
    st.push(i);
  }
  long s = 0;
  while (!st.empty()) { /* law: 2*n */
    s += st.top();
    st.pop();
  }
  std::printf("%ld\n", s);
}
