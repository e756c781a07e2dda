/* args: 5 3 | 0 2 | 12 7 | -3 4 | 2147483647 2 : sums of checked arithmetic whose flag nobody asks */
#include <stdio.h>
#include <stdlib.h>
static long steps;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), sum;
    long wide;
    short narrow;
    __builtin_mul_overflow(n, 1L << 40, &wide);
    for (long i = wide; i > 0; i >>= 4) {
        steps++;
    }
    __builtin_add_overflow(n, m, &narrow);
    for (int i = 0; i < narrow && i < 70; i++) {
        steps++;
    }
    __builtin_add_overflow(n, m, &sum);
    for (int i = sum; i > 0; i /= 2) {
        steps++;
    }
    printf("%ld\n", steps);
}
