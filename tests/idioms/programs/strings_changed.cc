// args: 3 5 | 10 2 | 21 13
#include <cstdlib>
#include <string>
static int parse(std::string s) { s += "0"; return std::stoi(s); }
static int read(const std::string &s) { return std::stoi(s); }
static void change(std::string &s) { s = "4"; }
static int hex(const char *t) { return std::stoi(t, nullptr, 16); }
int main(int argc, char **argv) {
  int t = 0;
  std::string a(argv[1]);
  a[0] = '2';
  for (int i = 0; i < std::stoi(a); i++) { /* law: parametric */
    t++;
  }
  int p = parse(argv[1]);
  for (int i = 0; i < p; i++) { /* law: parametric */
    t++;
  }
  std::string b(argv[2]);
  change(b);
  for (int i = 0; i < read(b); i++) { /* law: parametric */
    t++;
  }
  int q = hex(argv[1]);
  for (int i = 0; i < q; i++) { /* law: parametric */
    t++;
  }
  std::string c(argv[1]);
  for (char &x : c) { /* law: parametric */
    if (x == '3') x = '1';
  }
  int u = read(c);
  for (int i = 0; i < u; i++) { /* law: parametric */
    t++;
  }
  std::string d(argv[1], 1);
  int w = std::stoi(d);
  for (int i = 0; i < w; i++) { /* law: parametric */
    t++;
  }
  std::string e(argv[1]);
  std::string *pe = &e;
  pe->push_back('1');
  int z = std::stoi(e);
  for (int i = 0; i < z; i++) { /* law: parametric */
    t++;
  }
  return t & 1;
}
