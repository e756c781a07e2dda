// vary: n=-5:50 m=-5:50; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    for (int i = 1; i < n; i += 3) {
        s++;
    }
    for (int i = n; i >= m; i -= 4) {
        for (int j = m; j <= i; j += 2) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
