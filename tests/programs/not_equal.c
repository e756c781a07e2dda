// vary: n=0:20; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int i = 0; i != n; i++) {
        s++;
    }
    for (int i = n; i != 0; i--) {
        for (int j = 2 * i; j != 0; j -= 2) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
