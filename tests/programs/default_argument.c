// vary: n=-3:20 extra=-3:9; exact: 1 of 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    int extra = argc > 2 ? atoi(argv[2]) : 4;
    volatile long s = 0;
    for (int i = 0; i < n + extra; i++) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
