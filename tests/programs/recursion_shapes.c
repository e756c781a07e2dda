// vary: n=0:11; exact: 9 of 9
#include <stdlib.h>

static volatile long s;

static void by_two(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (n > 0) by_two(n - 2);
}

static int halving(int n) {
    if (n <= 1) return 0;
    for (int i = 0; i < 3; i++) {
        s++;
    }
    return 1 + halving(n / 2);
}

static void range(int lo, int hi) {
    if (hi - lo < 2) return;
    int mid = lo + (hi - lo) / 2;
    range(lo, mid);
    range(mid, hi);
    for (int i = lo; i < hi; i++) {
        s++;
    }
    for (int i = 0; i < 5; i++) {
        s++;
    }
}

static void inclusive(int lo, int hi) {
    if (lo < hi) {
        int mid = (lo + hi) / 2;
        inclusive(lo, mid);
        inclusive(mid + 1, hi);
        for (int i = lo; i <= hi; i++) {
            s++;
        }
    }
}

static void towers(int n) {
    if (n <= 0) return;
    towers(n - 1);
    for (int i = 0; i < n; i++) {
        s++;
    }
    towers(n - 1);
}

static void tail(int i, int n) {
    if (i >= n) return;
    for (int j = 0; j < i; j++) {
        s++;
    }
    tail(i + 1, n);
}

static void fibonacci(int n) {
    if (n < 2) return;
    for (int i = 0; i < 1; i++) {
        s++;
    }
    fibonacci(n - 1);
    fibonacci(n - 2);
}

static void leaves(int n) {
    if (n < 2) {
        for (int i = 0; i < 4; i++) {
            s++;
        }
        return;
    }
    leaves(n / 2);
    leaves(n - n / 2);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    by_two(n);
    halving(n);
    range(0, n);
    inclusive(0, n);
    towers(n);
    tail(0, n);
    fibonacci(n);
    leaves(n);
    return 0;
}
