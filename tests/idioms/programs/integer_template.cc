// args: 0 | 1 | 7 | 100
#include <cstdlib>
template <int N, typename T = double> struct Block {
  T data[N][N];
  T trace() const {
    T s = 0;
    for (int i = 0; i < N; ++i) { /* law: 7*n */
      s += data[i][i];
    }
    return s;
  }
};
template <int K> int power(int x) {
  int r = 1;
  for (int k = 0; k < K; ++k) { /* law: 5*n */
    r *= x;
  }
  return r;
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), s = 0;
  static Block<4> a;
  static Block<3, int> b;
  for (int i = 0; i < n; ++i) { /* law: n */
    a.data[i % 4][0] = b.data[i % 3][1] = i;
    s += a.trace() + b.trace() + power<2>(i) + power<3>(i);
  }
  return s & 1;
}
