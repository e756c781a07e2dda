// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <set>
#include <vector>
class Index {
  std::set<int> ids;
  std::vector<int> order;

public:
  void add(int id) {
    ids.insert(id);
    order.push_back(id);
  }
  int unique() const {
    return (int)ids.size();
  }
  long walk() const {
    long s = 0;
    for (int id : order) { /* law: n */
      s += id;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Index x;
  for (int i = 0; i < n; ++i) { /* law: n */
    x.add(i);
  }
  std::printf("%ld\n", x.walk());
}
