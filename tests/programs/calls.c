// vary: n=-3:15 m=-3:9; exact: 5 of 5
#include <stdio.h>
#include <stdlib.h>

static volatile long s;

static void inner(int k) {
    for (int i = 0; i < k; i++) {
        s++;
    }
}

static int bound(int a, int b) {
    return 2 * a + b;
}

static void twice(int n, int m) {
    inner(n);
    for (int i = 0; i < m; i++) {
        inner(i + n);
        inner(3);
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    twice(n, m);
    for (int i = 0; i < bound(n, m); i++) {
        twice(i, 2);
    }
    for (int i = 0; i < abs(n); i++) {
        s++;
    }
    for (int i = 0; i < 2; i++) {
        s++;
    }
    return 0;
}
