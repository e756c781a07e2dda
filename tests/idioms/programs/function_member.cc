// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <functional>
#include <vector>
#include <cstdio>
struct Task {
  std::function<void(int)> f;
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  long acc = 0;
  Task t;
  t.f = [&acc](int k) {
    for (int i = 0; i < k; i++) { /* law: n*(n-1)/2 */
      acc += i;
    }
  };
  for (int i = 0; i < n; i++) { /* law: n */
    t.f(i);
  }
  std::printf("%ld\n", acc);
}
