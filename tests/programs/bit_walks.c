// vary: n=1:300 k=1:40; exact: 0 of 7; bounded: 7
// At most as many iterations as a number has bits, or digits to the golden ratio.
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    int n = atoi(argv[1]), k = atoi(argv[2]);
    unsigned x = n;
    while (x) {
        x &= x - 1;
    }
    for (int i = n; i > 0; i -= i & -i) {
        s++;
    }
    for (int i = k; i <= n; i += i & -i) {
        s++;
    }
    int a = n, b = k;
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    int lowest = __builtin_ctz(n);
    for (int i = 0; i < lowest; i++) {
        s++;
    }
    int set = __builtin_popcount(n);
    for (int i = 0; i < set; i++) {
        s++;
    }
    unsigned y = n;
    do {
        y -= y & -y;
    } while (y > 0);
    return 0;
}
