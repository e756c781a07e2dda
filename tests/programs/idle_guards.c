// vary: n=-4:20 m=-3:12; exact: 9 of 11
#include <stdio.h>
#include <stdlib.h>

static volatile long s = 0;

static void some(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    if (n > 0) {
        for (int i = 0; i < n; i++) {
            s++;
        }
    }
    if (n > 3) {
        for (int i = 0; i < n; i++) {
            s++;
        }
    }
    if (n > 0 && m > 0) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                s++;
            }
        }
    }
    if (n > -3) {
        for (int i = 0; i < n; i++) {
            s++;
        }
    }
    for (int k = 0; k < m; k++) {
        if (!(n - k > 0) != 1) {
            for (int i = k; i < n; i++) {
                s++;
            }
        }
    }
    for (int k = 0; k < m; k++) {
        int v = rand() % 7 - 3;
        if (v > 0) some(v);
        if (v > 1) {
            for (int i = 0; i < v; i++) {
                s++;
            }
        }
    }
    for (int k = 0; k < 7 % (n > 0 ? 1 : 2) / (n * n + 1); k++) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
