// args: 8 3 2 | 5 5 1 | 9 1 4
#include <cstdlib>
#include <vector>
struct Config {
  int points, clusters, dims = 3;
};
class Clusters {
  Config config_;
  std::vector<std::vector<double>> points_, centers_;
  std::vector<int> label_;
  double distance(const std::vector<double> &a, const std::vector<double> &b) const {
    double s = 0;
    for (std::size_t i = 0; i < a.size(); i++) { /* law: 3*n*m*k */
      s += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return s;
  }

 public:
  explicit Clusters(const Config &c) : config_(c), label_(c.points) {
    for (int i = 0; i < c.points; i++) { /* law: n */
      std::vector<double> p;
      for (int d = 0; d < c.dims; d++) { /* law: 3*n */
        p.push_back(i * d);
      }
      points_.push_back(p);
      label_[i] = i;
    }
    for (int k = 0; k < c.clusters; k++) { /* law: m */
      centers_.push_back(points_[k]);
    }
  }
  void assign() {
    for (int i = 0; i < config_.points; i++) { /* law: n*k */
      double best = 1e30;
      for (int k = 0; k < config_.clusters; k++) { /* law: n*m*k */
        double d = distance(points_[i], centers_[k]);
        if (d < best) {
          best = d;
          label_[i] = k;
        }
      }
    }
  }
  void update() {
    std::vector<int> in(config_.clusters);
    for (int i = 0; i < config_.points; i++) { /* law: n*k */
      in[label_[i]]++;
    }
    for (int k = 0; k < config_.clusters; k++) { /* law: m*k */
      centers_[k][0] /= in[k] + 1;
    }
  }
  int first() const { return label_[0]; }
};
int main(int argc, char **argv) {
  Config c;
  c.points = std::atoi(argv[1]);
  c.clusters = std::atoi(argv[2]);
  int steps = std::atoi(argv[3]);
  Clusters clusters(c);
  for (int t = 0; t < steps; t++) { /* law: k */
    clusters.assign();
    clusters.update();
  }
  return clusters.first() > 99;
}
