// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
class Registry {
  static std::vector<int> items;
  static int capacity;

public:
  static void setup(int n) {
    capacity = n;
    items.assign(n, 1);
  }
  static int total() {
    int t = 0;
    for (std::vector<int>::const_iterator it = items.begin(); it != items.end(); ++it) { /* law: n */
      t += *it;
    }
    for (int i = 0; i < capacity; i += 2) { /* law: ceiling(n/2) */
      t -= items[i];
    }
    return t;
  }
};
std::vector<int> Registry::items;
int Registry::capacity = 0;
int main(int argc, char **argv) {
  Registry::setup(std::atoi(argv[1]));
  std::printf("%d\n", Registry::total());
}
