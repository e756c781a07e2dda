// args: 1 | 4 | 30
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
class Histogram {
  std::map<int, int> bins_;

public:
  void add(int value) { ++bins_[value]; }
  std::size_t distinct() const { return bins_.size(); }
  int most() const {
    int best = 0;
    for (const auto &[value, count] : bins_) { /* law: parametric */
      if (count > best) best = count;
    }
    return best;
  }
};
class Registry {
  std::map<int, std::string> names_;

public:
  void add(int id, const std::string &name) { names_[id] = name; }
  std::size_t letters() const {
    std::size_t s = 0;
    for (const auto &[id, name] : names_) { /* law: n */
      s += name.size() + id;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Histogram h;
  Registry r;
  for (int i = 0; i < n; ++i) { /* law: n */
    h.add(i * i % 17);
    r.add(i, "item" + std::to_string(i));
  }
  std::printf("%d %zu %zu\n", h.most(), h.distinct(), r.letters());
}
