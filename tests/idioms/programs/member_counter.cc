// args: 0 | 1 | 7 | 100
#include <cstdlib>
struct Stack {
  int data[256];
  int top = 0;
  void push(int x) { data[top++] = x; }
  bool empty() const { return top == 0; }
  int pop() { return data[--top]; }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  Stack st;
  for (int i = 0; i < n; i++) { /* law: n */
    st.push(i);
  }
  for (int i = 0; i < st.top; i++) { /* law: n */
    s += st.data[i];
  }
  while (!st.empty()) { /* law: n */
    s += st.pop();
  }
  return s & 1;
}
