// args: 1 2 | 4 0 | 10 7
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct Node { double x, y; };
class Mesh {
  std::vector<Node> nodes_;
  int nx_, ny_;

public:
  Mesh(int nx, int ny) : nx_(nx), ny_(ny) {
    nodes_.reserve(nx * ny);
    for (int j = 0; j < ny; ++j) { /* law: m */
      for (int i = 0; i < nx; ++i) { /* law: n*m */
        nodes_.push_back({i * 0.1, j * 0.1});
      }
    }
  }
  const std::vector<Node> &nodes() const { return nodes_; }
};
class Field {
  std::shared_ptr<const Mesh> mesh_;
  std::vector<double> values_;

public:
  explicit Field(std::shared_ptr<const Mesh> mesh) : mesh_(mesh), values_(mesh->nodes().size()) {}
  void fill() {
    for (std::size_t i = 0; i < values_.size(); ++i) { /* law: 2*n*m */
      values_[i] = mesh_->nodes()[i].x;
    }
  }
  double total() const {
    double s = 0;
    for (const Node &p : mesh_->nodes()) { /* law: 2*n*m */
      s += p.y;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int nx = std::atoi(argv[1]), ny = std::atoi(argv[2]);
  auto mesh = std::make_shared<Mesh>(nx, ny);
  Field pressure(mesh), density(mesh);
  pressure.fill();
  density.fill();
  std::printf("%g\n", pressure.total() + density.total());
}
