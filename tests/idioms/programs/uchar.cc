// args: 0 | 7 | 300
#include <cstdlib>
#include <cstdio>
struct Header {
  unsigned char rows;
  unsigned short cols;
};
static int area(const Header *h) {
  int a = 0;
  for (int i = 0; i < h->rows; ++i) { /* law: 250 */
    for (int j = 0; j < h->cols; ++j) { /* law: 250*n */
      a++;
    }
  }
  return a;
}
int main(int argc, char **argv) {
  Header h;
  h.rows = 250;
  h.cols = static_cast<unsigned short>(std::atoi(argv[1]));
  std::printf("%d\n", area(&h));
}
