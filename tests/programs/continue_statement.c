// vary: n=-3:30; exact: 2 of 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = 0; i < n; i++) {
        if (i < 5) continue;
        for (int j = 0; j < i; j++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
