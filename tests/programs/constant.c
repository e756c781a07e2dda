// vary: n=-3:20; exact: 1 of 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = 0; i < 17; i++) {
        s += n;
    }
    printf("%ld\n", (long)s);
    return 0;
}
