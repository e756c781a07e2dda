// vary: n=0:11 m=0:6; exact: 15 of 18
#include <stdlib.h>

static volatile long s;
static long weight[4] = {1, 2, 3, 4};

static void odd(int n, int m);
static void even(int n, int m) {
    if (n <= 0) return;
    for (int i = 0; i < m; i++) {
        s++;
    }
    odd(n - 1, m);
}
static void odd(int n, int m) {
    if (n <= 0) return;
    for (int i = 0; i < n; i++) {
        s++;
    }
    even(n - 1, m);
}

static int is_odd(unsigned n);
static int is_even(unsigned n) {
    for (int i = 0; i < 2; i++) {
        s++;
    }
    if (n == 0) return 1;
    return is_odd(n - 1);
}
static int is_odd(unsigned n) {
    if (n == 0) return 0;
    for (int i = 0; i < 3; i++) {
        s++;
    }
    return is_even(n - 1);
}

static void left(int n);
static void right(int n);
static void both(int n) {
    if (n > 0) {
        left(n - 1);
        right(n - 1);
    }
    for (int i = 0; i < 2; i++) {
        s++;
    }
}
static void left(int n) {
    for (int i = 0; i < 3; i++) {
        s++;
    }
    both(n);
}
static void right(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
    both(n);
}

static void third(int lo, int hi);
static void first(int lo, int hi) {
    if (lo >= hi) return;
    for (int i = lo; i < hi; i++) {
        s++;
    }
    third(lo + 1, hi);
}
static void second(int lo, int hi) {
    for (int i = 0; i < hi; i++) {
        s++;
    }
    first(lo, hi - 1);
}
static void third(int lo, int hi) {
    if (hi - lo > 100) return;
    second(lo, hi - 1);
    for (int i = 0; i < 4; i++) {
        s++;
    }
}

static void up(int k, int n);
static void next(int k, int n) {
    for (int i = 0; i < k; i++) {
        s++;
    }
    up(k * 2, n);
}
static void up(int k, int n) {
    if (k <= n) next(k, n);
}

static int fewer(int n);
static int fibonacci(int n) {
    if (n < 2) return n;
    for (int i = 0; i < 2; i++) {
        s++;
    }
    return fibonacci(n - 1) + fewer(n - 2);
}
static int fewer(int n) { return fibonacci(n); }

static void write_it(int n);
static void read_it(int n) {
    if (n <= 0) return;
    for (int i = 0; i < weight[1]; i++) {
        s++;
    }
    write_it(n);
}
static void write_it(int n) {
    weight[1] = n;
    read_it(n - 1);
}

static void inner(int n, int m);
static void outer(int n, int m) {
    for (int i = 0; i < m; i++) {
        inner(n, m);
    }
}
static void inner(int n, int m) {
    for (int i = 0; i < 2; i++) {
        s++;
    }
    if (n > 0) outer(n - 1, m);
}

static void twice(int n);
static void once(int n) {
    if (n <= 0) return;
    twice(n - 1);
    twice(n - 1);
}
static void twice(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
    once(n);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    even(n, m);
    odd(m, 3);
    is_even(n);
    is_odd(m);
    both(n);
    right(m);
    first(-m, n);
    second(m, 2 * n);
    up(1, n);
    fibonacci(n);
    for (int i = 0; i < m; i++) {
        fewer(i);
    }
    read_it(n);
    if (m < 3) inner(m, m);
    once(n);
    for (int i = 0; i < 3; i++) {
        twice(i);
    }
    return 0;
}
