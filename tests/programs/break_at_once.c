// vary: n=-3:12 m=-3:12; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    volatile long s = 0;
    for (int i = n; i > 0; i--) {
        if (i > m) break;
        s++;
        for (int j = 0; j < n; j++) {
            s++;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = i; j < m; j++) {
            s++;
        }
        if (m < 3) break;
    }
    printf("%ld\n", (long)s);
    return 0;
}
