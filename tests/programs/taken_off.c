// vary: n=0:60 k=1:12; exact: 5 of 5
// What is left goes down by a step, but not below 0: buffers, chunks.
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    int n = atoi(argv[1]), k = atoi(argv[2]);
    size_t left = n, most = k;
    while (left) {
        size_t now = left < most ? left : most;
        left -= now;
    }
    left = n;
    while (left > 0) {
        size_t now = left < 8 ? left : 8;
        for (size_t i = 0; i < now; i++) {
            s++;
        }
        left -= now;
    }
    int rest = n;
    while (rest > 0) {
        rest = rest > 10 ? rest - 10 : 0;
    }
    for (int r = n; r != 0; r -= r < 3 ? r : 3) {
        s++;
    }
    return 0;
}
