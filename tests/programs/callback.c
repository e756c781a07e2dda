// vary: n=0:12; exact: 2 of 2
#include <stdio.h>
#include <stdlib.h>

static volatile long s;

static void item(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
}

static void each(int n, void (*call)(int)) {
    for (int i = 0; i < n; i++) {
        call(i);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    each(atoi(argv[1]), item);
    return 0;
}
