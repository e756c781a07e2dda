// vary: n=1:30; exact: 1 of 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        for (unsigned j = 0; j < (x >> 16) % 7; j++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
