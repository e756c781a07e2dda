// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
#include <utility>
#include <vector>
static void both(std::vector<int> &a, std::vector<int> &b) {
  a.push_back(1);
  b.push_back(2);
  a.resize(b.size() + 1);
}
static int walk(std::vector<int> &a, std::vector<int> &b) {
  int s = 0;
  for (size_t i = 0; i < a.size(); i++) {
    if (b.size() > 3) {
      b.pop_back();
    }
    s++;
  }
  return s;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  std::vector<int> v(n), w(2 * n);
  both(v, v);
  for (int x : v) {
    s += x;
  }
  both(v, w);
  for (int x : w) {
    s += x;
  }
  s += walk(v, v) + walk(w, v);
  std::swap(v, v);
  for (int x : v) {
    s += x;
  }
  v = v;
  for (int x : v) {
    s += x;
  }
  w.insert(w.end(), v.begin(), v.end());
  for (int x : w) {
    s += x;
  }
  return s & 1;
}
