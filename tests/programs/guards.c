// vary: n=-3:30 m=-3:30; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    if (n > 10) {
        for (int i = 0; i < n; i++) {
            s++;
        }
    } else {
        for (int i = 0; i < m; i++) {
            s++;
        }
    }
    if (n > 3 && m < 20) {
        for (int i = m; i < n; i++) {
            s++;
        }
    }
    if (n == 7 || m != 3) {
        for (int i = 0; i < 5; i++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
