// vary: n=-3:40; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    for (int ii = 0; ii < n; ii += 8) {
        for (int i = ii; i < (ii + 8 < n ? ii + 8 : n); i++) {
            for (int jj = 0; jj < n; jj += 4) {
                for (int j = jj; j < (jj + 4 < n ? jj + 4 : n); j++) {
                    s++;
                }
            }
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
