// vary: n=-3:20; exact: 3 of 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    int k = 0;
    for (int i = 0; i < n; i++) {
        k += 2;
    }
    for (int i = 0; i < k; i++) {
        for (int j = i; j < k; j++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
