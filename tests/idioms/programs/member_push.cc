// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <vector>
#include <cstdio>
class Log {
  std::vector<int> entries_;

public:
  void add(int v) {
    entries_.push_back(v);
  }
  int size() const {
    return (int)entries_.size();
  }
  int at(int i) const {
    return entries_[i];
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Log log;
  for (int i = 0; i < n; i++) { /* law: n */
    log.add(i);
  }
  long s = 0;
  for (int i = 0; i < log.size(); i++) { /* law: n */
    s += log.at(i);
  }
  std::printf("%ld\n", s);
}
