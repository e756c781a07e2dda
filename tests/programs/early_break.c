// vary: n=-3:40 m=-3:40; exact: 2 of 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    for (int i = 0; i < n; i++) {
        if (i == m) break;
        s++;
    }
    for (int i = 0;;) {
        if (i >= n) break;
        i += 2;
    }
    printf("%ld\n", (long)s);
    return 0;
}
