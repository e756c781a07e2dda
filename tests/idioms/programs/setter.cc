// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
class Config {
  int n_ = 10;
  bool verbose_{false};

public:
  Config &size(int n) {
    n_ = n;
    return *this;
  }
  Config &verbose(bool v) {
    verbose_ = v;
    return *this;
  }
  int size() const {
    return n_;
  }
};
static double run(const Config &c) {
  std::vector<double> buf;
  buf.resize(c.size() + 1);
  double s = 0;
  for (auto &x : buf) { /* law: n+1 */
    x = 1;
  }
  for (int i = 0; i < c.size(); ++i) { /* law: n */
    s += buf[i + 1] - buf[i];
  }
  return s;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Config c;
  c.size(n).verbose(true);
  std::printf("%g\n", run(c));
}
