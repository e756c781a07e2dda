// args: 0 | 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <array>
constexpr int kBins = 64;
static std::array<int, kBins> bins;
static int *data;
static int count;
static void load(int n) {
  count = n;
  data = new int[n];
  for (int i = 0; i < count; ++i) { /* law: n */
    data[i] = i * 37;
  }
}
static void bin() {
  bins.fill(0);
  for (int i = 0; i < count; ++i) { /* law: n */
    ++bins[data[i] % kBins];
  }
}
int main(int argc, char **argv) {
  load(std::atoi(argv[1]));
  bin();
  int most = 0;
  for (int b : bins) { /* law: 64 */
    if (b > most) {
      most = b;
    }
  }
  delete[] data;
  std::printf("%d\n", most);
}
