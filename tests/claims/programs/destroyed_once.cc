// args: 0 | 1 | 7 | 30 : flags: -std=gnu++17
#include <cstdlib>
static volatile int seen;
static void may_throw(int k) {
  if (seen == 77) {
    throw k;
  }
  seen += k;
}
struct Owner {
  int n;
  explicit Owner(int k) : n(k) {}
  ~Owner() {
    for (int i = 0; i < n; i++) {
      seen += i;
    }
  }
};
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  Owner a(n);
  for (int i = 0; i < n; i++) {
    may_throw(0);
  }
  return 0;
}
