// args: 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
class Sieve {
  std::vector<char> prime_;

public:
  explicit Sieve(int n) : prime_(n + 1, 1) {
    for (int p = 2; p * p <= n; ++p) { /* law: parametric */
      if (prime_[p]) {
        for (int k = p * p; k <= n; k += p) { /* law: parametric */
          prime_[k] = 0;
        }
      }
    }
  }
  int count() const {
    int c = 0;
    for (size_t i = 2; i < prime_.size(); ++i) { /* law: n-1 */
      c += prime_[i];
    }
    return c;
  }
};
int main(int argc, char **argv) {
  Sieve s(std::atoi(argv[1]));
  std::printf("%d\n", s.count());
}
