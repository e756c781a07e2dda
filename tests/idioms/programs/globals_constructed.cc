// args: 3 5 | 10 2 | 21 13
#include <cstdlib>
#include <vector>
static int first() { return 4; }
static int a = first();
static int b = a + 3;
struct Init { Init(); };
static int c = 5;
static std::vector<int> v(7), w{1, 2, 3};
static Init init;
Init::Init() { c = 9; v.push_back(1); for (int i = 0; i < 2; i++) { w.push_back(i); } }
static int *where = &c;
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), t = 0;
  for (int i = 0; i < a; i++) { /* law: 4 */
    t++;
  }
  for (int i = 0; i < b; i++) { /* law: 7 */
    t++;
  }
  for (int i = 0; i < c; i++) { /* law: 9 */
    t++;
  }
  for (int x : v) { /* law: 8 */
    t += x;
  }
  for (int x : w) { /* law: 5 */
    t += x;
  }
  *where = n;
  for (int i = 0; i < c; i++) { /* law: n */
    t++;
  }
  return t & 1;
}
