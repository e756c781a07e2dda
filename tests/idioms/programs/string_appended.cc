// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <string>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::string s;
  for (int i = 0; i < n; i++) { /* law: n */
    s += 'a';
    s.push_back('b');
  }
  int c = 0;
  for (char ch : s) { /* law: 2*n */
    c += ch == 'a';
  }
  return c & 1;
}
