// args: 0 3 | 5 1 | 8 6
#include <cstdlib>
#include <cstdio>
#include <vector>
class Engine {
  std::vector<double> cells;
  Engine() {
  }

public:
  static Engine &get() {
    static Engine e;
    return e;
  }
  void init(int n) {
    cells.assign(n, 0.0);
  }
  void advance() {
    for (auto &c : cells) { /* law: n*m */
      c += 1;
    }
  }
};
int main(int argc, char **argv) {
  Engine::get().init(std::atoi(argv[1]));
  int steps = std::atoi(argv[2]);
  for (int i = 0; i < steps; i++) { /* law: m */
    Engine::get().advance();
  }
  std::printf("done\n");
}
