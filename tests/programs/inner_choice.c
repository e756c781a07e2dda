// vary: n=-3:30 m=-3:30; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    for (int i = 0; i < n; i++) {
        if (i < m) {
            for (int j = 0; j < i; j++) {
                s++;
            }
        } else {
            for (int j = i; j < n; j++) {
                s++;
            }
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
