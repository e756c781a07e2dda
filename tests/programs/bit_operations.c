// vary: n=0:40; exact: 20 of 20
// Bounds made of bits: complements, masks, shifts, and what only looks like one of them.
#include <stdlib.h>

static volatile long s;

static void run(int times) {
    for (int i = 0; i < times; i++) {
        s++;
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    unsigned u = (unsigned)n;
    for (int i = 0; i < ~-n + 1; i++) {
        s++;
    }
    for (int i = 0; i < (n ^ -1) + 2 * n; i++) {
        s++;
    }
    for (int i = 0; i < (n ^ 5); i++) {
        s++;
    }
    for (int i = 0; i < (n ^ 1); i++) {
        s++;
    }
    for (int i = 0; i < (n & 7); i++) {
        s++;
    }
    for (int i = 0; i < (n & -8); i++) {
        s++;
    }
    for (int i = 0; i < (n & 6); i++) {
        s++;
    }
    for (int i = 0; i < (n | 1); i++) {
        s++;
    }
    for (int i = 0; i < (n << 2) >> 1; i++) {
        s++;
    }
    for (unsigned i = 0; i < u >> 3; i++) {
        s++;
    }
    for (int i = 0; i < -(~n); i++) {
        s++;
    }
    run(n & ~3);
    int m = n - 20;
    for (int i = 0; i < (m ^ 5); i++) {
        s++;
    }
    for (int i = 0; i < (m ^ -6); i++) {
        s++;
    }
    for (int i = 0; i < (6 & m); i++) {
        s++;
    }
    for (int i = 0; i < (m | 9); i++) {
        s++;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < (i & 6); j++) {
            s++;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = i; j < (i | 3); j++) {
            s++;
        }
    }
    return 0;
}
