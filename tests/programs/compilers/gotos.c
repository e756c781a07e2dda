/* args: 5 3 | 0 0 | 9 4 : goto in and out of loops, comma operators, several variables */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]), i, j;
    long s = 0;
    for (i = 0, j = n; i < j; i++, j--) {
        s += j - i;
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            if (i * j > 12) goto out;
            s++;
        }
    }
out:
    do {
        s += --n;
    } while (n > 0);
    while (m-- > 0) {
        s += m;
    }
    for (;;) {
        if (s++ > 1000) break;
        s *= 2;
    }
    printf("%ld\n", s);
}
