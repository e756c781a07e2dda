// vary: n=-3:12 m=-1:5; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    switch (m) {
    case 1:
        for (int i = 0; i < n; i++) {
            s++;
        }
        break;
    case 2:
    case 3:
        for (int i = 0; i < 2 * n; i++) {
            s++;
        }
        break;
    default:
        for (int i = 0; i < 3; i++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
