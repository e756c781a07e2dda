// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
class Mesh {
public:
  std::vector<int> cells;
  int n;
  explicit Mesh(int k) : n(k) {
    cells.resize(k * k);
  }
  int count() const {
    return (int)cells.size();
  }
};
int main(int argc, char **argv) {
  Mesh *m = new Mesh(std::atoi(argv[1]));
  int s = 0;
  for (int i = 0; i < m->count(); ++i) { /* law: n*n */
    s += m->cells[i];
  }
  for (int c : m->cells) { /* law: n*n */
    s += c;
  }
  for (int i = 0; i < m->n; ++i) { /* law: n */
    ++s;
  }
  delete m;
  std::printf("%d\n", s);
}
