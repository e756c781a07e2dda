// vary: n=0:12; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

static volatile long s;

static void first(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
}

static void second(int n) {
    for (int i = 0; i < 2 * n; i++) {
        s++;
    }
}

static void (*const table[2])(int) = {first, second};

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) {
        table[i % 2](i);
    }
    return 0;
}
