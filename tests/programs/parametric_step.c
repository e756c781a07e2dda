// vary: n=-3:60 m=1:9; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    for (int i = 0; i < n; i += m) {
        s++;
    }
    for (int j = 1; j <= m; j++) {
        for (int k = j; k < n; k += j) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
