// vary: n=-3:300; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = 1; i < n; i *= 2) {
        s++;
    }
    for (int i = 1; i <= n; i *= 3) {
        for (int j = 0; j < i; j++) {
            s++;
        }
    }
    for (int i = 5; i < n; i = 2 * i + 1) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
