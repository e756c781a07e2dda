// vary: n=-2:17; exact: 3 of 7
// Calls with different distances: Fibonacci numbers, and powers of two as bounds.
#include <stdlib.h>

static volatile long s;

static long fibonacci(int n) {
    for (int i = 0; i < 2; i++) {
        s++;
    }
    if (n < 2) {
        for (int i = 0; i < 5; i++) {
            s++;
        }
        return n;
    }
    return fibonacci(n - 1) + fibonacci(n - 2);
}

static void three(int n) {
    if (n < 3) return;
    for (int i = 0; i < 4; i++) {
        s++;
    }
    three(n - 1);
    three(n - 2);
    three(n - 3);
}

static void far(int n) {
    if (n <= -1) return;
    for (int i = 0; i < 1; i++) {
        s++;
    }
    far(n - 1);
    far(n - 4);
}

static void growing(int n) {
    if (n < 2) return;
    for (int i = 0; i < n; i++) {
        s++;
    }
    growing(n - 2);
    growing(n - 1);
}

static void pairs(int lo, int hi) {
    if (hi - lo < 4) return;
    for (int i = 0; i < 3; i++) {
        s++;
    }
    pairs(lo + 1, hi);
    pairs(lo + 1, hi - 1);
}

static void leaves(int n) {
    if (n > 6) {
        leaves(n - 3);
        leaves(n - 2);
        return;
    }
    for (int i = 0; i < 3; i++) {
        s++;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    fibonacci(n);
    three(n);
    far(n);
    growing(n);
    pairs(n - 20, n);
    pairs(-n, n);
    leaves(n);
    return 0;
}
