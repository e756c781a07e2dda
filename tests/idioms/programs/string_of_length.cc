// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <string>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::string s(n, 'x');
  int c = 0;
  for (char ch : s) { /* law: n */
    c += ch == 'x';
  }
  for (std::size_t i = 0; i < s.size(); i++) { /* law: n */
    c += s[i];
  }
  for (std::size_t i = 0; i < s.length(); i++) { /* law: n */
    c += s.at(i);
  }
  return c & 1;
}
