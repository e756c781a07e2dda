// args: 0 3 | 1 1 | 7 5 | 10 0
#include <cstdlib>
#include <vector>
class Mesh {
public:
  Mesh(int nx, int ny)
      : nx_(nx), ny_(ny), nodes_((nx + 1) * (ny + 1)), elements_(nx * ny), x_(nodes_) {}
  int nodes() const { return nodes_; }
  int elements() const { return elements_; }
  double sum() {
    double s = 0;
    for (int i = 0; i < nodes_; ++i) { /* law: (n + 1)*(m + 1) */
      s += x_[i];
    }
    for (auto x : x_) { /* law: (n + 1)*(m + 1) */
      s -= x;
    }
    return s;
  }
private:
  int nx_, ny_, nodes_, elements_;
  std::vector<double> x_;
};
int main(int argc, char **argv) {
  Mesh mesh(std::atoi(argv[1]), std::atoi(argv[2]));
  double s = mesh.sum();
  for (int e = 0; e < mesh.elements(); ++e) { /* law: n*m */
    for (int k = 0; k < 4; ++k) { /* law: 4*n*m */
      s += k;
    }
  }
  return s > 1;
}
