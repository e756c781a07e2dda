// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <memory>
#include <vector>
#include <cstdio>
struct Mesh {
  std::vector<int> nodes;
  explicit Mesh(int n) : nodes(n) {
  }
};
struct Solver {
  std::shared_ptr<Mesh> mesh;
  explicit Solver(std::shared_ptr<Mesh> m) : mesh(std::move(m)) {
  }
  int run() {
    int s = 0;
    for (std::size_t i = 0; i < mesh->nodes.size(); ++i) { /* law: n */
      s += mesh->nodes[i];
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  auto mesh = std::make_shared<Mesh>(n);
  Solver solver(mesh);
  std::printf("%d\n", solver.run());
}
