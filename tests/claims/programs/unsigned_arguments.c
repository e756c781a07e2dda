/* args: 4 3 | 8 2 | -3 5 | -130 7 : remainders of negative values, as arguments and in recursion */
#include <stdio.h>
#include <stdlib.h>
static long loop(unsigned a) {
    long s = 0;
    for (unsigned i = 0; i < a; i++) {
        s++;
    }
    return s;
}
static long again(unsigned a) {
    long s = 0;
    if (a == 0) return 1;
    for (unsigned i = 0; i < a; i++) {
        s++;
    }
    return s + again((a - 1) % 50);
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, m = argc > 2 ? atoi(argv[2]) : 2;
    long s = 0;
    s += loop((unsigned)(n - m) % 100);
    s += again((unsigned)n % 30);
    for (int i = 0; i < 3; i++) {
        s += loop((unsigned)(n + i) % 7);
    }
    printf("%ld\n", s);
    return 0;
}
