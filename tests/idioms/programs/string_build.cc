// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <string>
#include <cstdio>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::string s;
  for (int i = 0; i < n; ++i) { /* law: n */
    s += (char)('a' + i % 26);
  }
  int vowels = 0;
  for (char c : s) { /* law: n */
    if (c == 'a' || c == 'e') {
      vowels++;
    }
  }
  for (size_t i = 0; i < s.length(); ++i) { /* law: n */
    if (s[i] == 'z') {
      vowels--;
    }
  }
  std::printf("%d\n", vowels);
}
