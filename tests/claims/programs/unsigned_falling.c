/* args: 3 5 | 8 2 | 40 -1 | 0 9 | 300 -3 | 129 -3 | 50 60 | 21 1 : unsigned values that fall below zero, compared with what may be negative */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    size_t n = atoi(argv[1]); int m = atoi(argv[2]); int s = 0;
    for (unsigned i = 20; i <= m; i--) {
        s++;
    }
    for (int i = 0; m >= n - 2 * i && i < 200; i++) {
        s++;
    }
    for (unsigned i = n; i < m; i -= 3) {
        s++;
    }
    for (unsigned i = 100; i - 5 < m; i -= 3) {
        s++;
    }
    printf("%d\n", s);
    s = 0;
    for (unsigned i = 21; i < 4294967290u; i -= 7) {
        if (s++ > 1000) break;
    }
    s = 0;
    for (unsigned i = n; i < 4294967290u; i -= 7) {
        if (s++ > 1000) break;
    }
    for (int i = 0; n - 2 * i <= 40u - i && i < 90; i++) {
        s++;
    }
    printf("%d\n", s);
}
