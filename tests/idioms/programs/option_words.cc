// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <string>
#include <vector>
struct Config {
  int n = 10;
  int m = 4;
};
int main(int argc, char **argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  Config config;
  config.n = std::stoi(args[0]);
  config.m = std::stoi(args.at(1));
  int s = 0;
  for (int i = 0; i < config.n; ++i) { /* law: parametric */
    for (int j = 0; j < config.m; ++j) { /* law: parametric */
      s += i + j;
    }
  }
  return s & 1;
}
