// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <stack>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  std::stack<int, std::vector<int>> st;
  for (int i = 0; i < n; i++) { /* law: n */
    st.push(i);
  }
  while (!st.empty()) { /* law: n */
    s += st.top();
    st.pop();
  }
  return s & 1;
}
