// args: 0 | 1 | 7 | 100
#include <cstdlib>
#include <functional>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  std::function<int(int)> f = [n](int k) {
    int s = 0;
    for (int i = 0; i < n; i++) { /* law: n**2 */
      s += i ^ k;
    }
    return s;
  };
  int s = 0;
  for (int i = 0; i < n; i++) { /* law: n */
    s += f(i);
  }
  return s & 1;
}
