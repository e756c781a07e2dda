// vary: n=-3:40; exact: 9 of 9
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1) {
            for (int j = 0; j < i; j++) {
                s++;
            }
        }
        if (i & 1) {
            for (int j = 0; j < n; j++) {
                s++;
            }
        } else {
            for (int j = i; j < n; j += 2) {
                s++;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i / 2 + i / 3; j++) {
            s++;
        }
    }
    for (int i = 0; i < n; i += 4) {
        for (int j = i; j < (i + 4 < n ? i + 4 : n); j++) {
            s++;
        }
    }
    for (unsigned i = (unsigned)n - 1; n > 0 && i < (unsigned)n; i--) {
        s++;
    }
    return 0;
}
