// args: 3 2 | 4 1 | 10 7
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>
using Floats = std::vector<std::vector<float>>;
static void longer(std::vector<float> &row) {
  row.push_back(1);
}
static Floats by_function(int rows, int columns) {
  Floats m(rows, std::vector<float>(columns));
  longer(m[0]);
  for (auto &row : m) { /* law: n + m */
    for (auto &v : row) { /* law: parametric */
      v = 1;
    }
  }
  return m;
}
using Longs = std::vector<std::vector<long>>;
static Longs by_callback(int rows, int columns, const std::function<void(Longs &)> &change) {
  Longs m(rows, std::vector<long>(columns));
  change(m);
  for (auto &row : m) { /* law: n + m */
    for (auto &v : row) { /* law: parametric */
      v = 1;
    }
  }
  return m;
}
using Shorts = std::vector<std::vector<short>>;
static Shorts by_swap(int rows, int columns) {
  Shorts m(rows, std::vector<short>(columns));
  std::vector<short> other(3);
  auto &first = m[0];
  std::swap(first, other);
  for (auto &row : m) { /* law: n + m */
    for (auto &v : row) { /* law: parametric */
      v = 1;
    }
  }
  return m;
}
using Chars = std::vector<std::vector<char>>;
static Chars by_iterator(int rows, int columns) {
  Chars m(rows, std::vector<char>(columns));
  for (auto it = m.begin(); it != m.end(); ++it) { /* law: n + m */
    it->resize(it - m.begin());
  }
  for (auto &row : m) { /* law: n + m */
    for (auto &v : row) { /* law: parametric */
      v = 1;
    }
  }
  return m;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  Floats a = by_function(n, m), b = by_function(m, n);
  auto change = [](Longs &l) { l.back().resize(5); };
  Longs c = by_callback(n, m, change), d = by_callback(m, n, change);
  Shorts e = by_swap(n, m), f = by_swap(m, n);
  Chars g = by_iterator(n, m), h = by_iterator(m, n);
  std::printf("%zu\n", a.size() + b.size() + c.size() + d.size() + e.size() + f.size() + g.size() + h.size());
}
