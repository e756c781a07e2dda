/* args: 4 | 8 | 100 | 2000000000 : overflow flags of builtins */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long sum = 0;
    int r;
    if (__builtin_add_overflow(n, n, &r)) {
        for (int i = 0; i < 5; i++) {
            sum++;
        }
    } else {
        for (int i = 0; i < 7; i++) {
            sum++;
        }
    }
    int x = 1;
    while (!__builtin_mul_overflow(x, 2, &x)) {
        sum++;
    }
    unsigned char c = 0;
    while (!__builtin_add_overflow(c, 10, &c)) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
