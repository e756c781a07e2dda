// vary: n=-3:12 m=-3:12; exact: 3 of 8
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    volatile long s = 0;
    for (int i = 0, j = m; i < n || j > 0; i++, j -= 2) {
        s++;
    }
    for (int i = 0; i < n || (i >= n && i < m); i++) {
        s++;
    }
    for (int i = 0; !(i >= n && i != m); i++) {
        s++;
    }
    for (int i = 0; i < n && (i < m || i < 5); i++) {
        s++;
    }
    for (int i = 0; i < n ? i < m : i < 9; i++) {
        s++;
    }
    for (int i = 0; i < n || i == n; i++) {
        s++;
    }
    for (int i = 0; i < n || (i > m && i < 2 * m); i++) {
        s++;
    }
    for (int i = n; i > 0 || i == m; i--) {
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
