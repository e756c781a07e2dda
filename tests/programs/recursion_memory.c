// vary: n=0:12; exact: 2 of 7
// What activations find in memory: the same in all of them, or changed in between.
#include <stdlib.h>

static volatile long s;
static int down, up, fixed;

struct box {
    int n;
};

static void chain(int n) {
    if (n <= 0) return;
    for (int i = 0; i < down; i++) {
        s++;
    }
    down--;
    chain(n - 1);
}

static void steady(int n) {
    if (n <= 0) return;
    for (int i = 0; i < fixed; i++) {
        s++;
    }
    steady(n - 1);
}

static void halves(int lo, int hi) {
    if (hi - lo < 2) return;
    int m = lo + (hi - lo) / 2;
    for (int i = 0; i < up; i++) {
        s++;
    }
    for (int i = 0; i < fixed; i++) {
        s++;
    }
    up++;
    halves(lo, m);
    halves(m, hi);
}

static void branches(struct box *b, int n) {
    for (int i = 0; i < b->n; i++) {
        s++;
    }
    b->n = n;
    if (n < 2) return;
    branches(b, n - 1);
    branches(b, n - 2);
}

static void search(int *a, int lo, int hi) {
    if (lo >= hi) return;
    for (int i = 0; i < *a; i++) {
        s++;
    }
    *a = *a + 3;
    int m = lo + (hi - lo) / 2;
    if (a[m] & 1) search(a, lo, m);
    else search(a, m + 1, hi);
}

static void until(int n) {
    for (int i = 0; i < 2; i++) {
        s++;
    }
    if (n <= fixed - 3) return;
    fixed++;
    until(n - 1);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    struct box b = {n};
    int x[100] = {n};
    down = up = fixed = n;
    chain(n);
    steady(n);
    halves(0, n);
    branches(&b, n);
    search(x, 0, n);
    until(2 * n);
    return 0;
}
