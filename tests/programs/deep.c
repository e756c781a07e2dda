// vary: n=-2:9 m=-2:6; exact: 4 of 4
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    volatile long s = 0;
    for (int a = 0; a < n; a++) {
        for (int b = a; b < n; b++) {
            for (int c = 0; c < m; c++) {
                for (int d = b; d <= n + c; d++) {
                    s++;
                }
            }
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
