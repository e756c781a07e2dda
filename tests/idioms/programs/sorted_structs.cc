// args: 0 | 1 | 7 | 100
#include <algorithm>
#include <cstdlib>
#include <vector>
struct Item {
  int key;
  double value;
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::vector<Item> items(n);
  for (int i = 0; i < n; ++i) { /* law: n */
    items[i] = {(i * 37) % 11, 1.0 * i};
  }
  std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
    int d = 0;
    for (int k = 0; k < 2; ++k) { /* law: named */
      d += k;
    }
    return a.key + d < b.key + d;
  });
  double s = 0;
  for (auto it = items.begin(); it != items.end(); ++it) { /* law: n */
    s += it->value;
  }
  items.erase(items.begin(), items.begin() + n / 2);
  for (const auto &item : items) { /* law: n - floor(n/2) */
    s += item.key;
  }
  return s > 1;
}
