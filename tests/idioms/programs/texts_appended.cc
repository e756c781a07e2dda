// args: 3 5 | 10 2 | 0 4 | 6 6
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
static void add(std::string &s, const char *t) { s += t; }
static const char *const words[] = {"a", "bcd"};
static char word[8] = "abc";
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), t = 0;
  std::string s;
  char buf[16];
  for (int i = 0; i < n; i++) { /* law: n */
    std::sprintf(buf, "%d", i * i);
    s += buf;
  }
  for (std::size_t i = 0; i < s.size(); i++) { /* law: parametric */
    t++;
  }
  std::string u = "xy";
  for (int i = 0; i < m; i++) { /* law: m */
    add(u, i % 2 ? "p" : "qrs");
    u.append("tt");
  }
  for (char c : u) { /* law: parametric */
    t += c;
  }
  std::string w("hello\0x");
  w += "\\\"\n";
  for (std::size_t i = 0; i < w.length(); i++) { /* law: 8 */
    t++;
  }
  std::string x = words[1];
  for (std::size_t i = 0; i < x.length(); i++) { /* law: parametric */
    t++;
  }
  word[1] = 0;
  std::string y(word);
  for (std::size_t i = 0; i < y.length(); i++) { /* law: parametric */
    t++;
  }
  for (std::size_t i = 0; i < std::strlen("abcdef"); i++) { /* law: 6 */
    t++;
  }
  std::string z;
  z = "abc";
  z += argv[1];
  z += argv[1];
  for (std::size_t i = 0; i < z.length(); i++) { /* law: parametric */
    t++;
  }
  return t & 1;
}
