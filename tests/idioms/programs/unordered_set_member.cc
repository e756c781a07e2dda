// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <unordered_set>
struct Seen {
  std::unordered_set<long> s;
  void fill(long n) {
    for (long i = 1; i <= n; ++i) { /* law: n */
      s.insert(i * 3);
    }
  }
};
int main(int argc, char **argv) {
  Seen x;
  x.fill(std::atol(argv[1]));
  long t = 0;
  for (long v : x.s) { /* law: n */
    t += v;
  }
  std::printf("%ld\n", t);
}
