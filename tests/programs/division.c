// vary: n=-9:40 m=-9:40; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    for (int i = 0; i < n / 3; i++) {
        s++;
    }
    for (int i = 0; i <= n / 4; i++) {
        s++;
    }
    for (int i = 0; i < n % 5; i++) {
        s++;
    }
    for (int i = n / 2; i < (m + 1) / 2; i++) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
