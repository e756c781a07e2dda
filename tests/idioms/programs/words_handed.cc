// args: 4 3 | 10 2 | 0 5
#include <iostream>
#include <string>
#include <vector>
struct Config {
  int n = 0, m = 3;
  bool wide = false;
};
static Config parse(const std::vector<std::string> &args) {
  Config c;
  if (args.empty()) {
    std::cerr << "usage: N [M]\n";
    return c;
  }
  c.n = std::stoi(args[0]);
  if (args.size() > 1) {
    c.m = std::stoi(args[1]);
  }
  c.wide = args.size() > 2;
  return c;
}
int main(int argc, char **argv) {
  const std::vector<std::string> args{argv + 1, argv + argc};
  const Config c = parse(args);
  long s = 0;
  for (int i = 0; i < c.n; ++i) { /* law: n */
    for (int j = 0; j < c.m; ++j) { /* law: n*m */
      s += i ^ j;
    }
  }
  std::cout << s + c.wide << "\n";
}
