/* args: 4 3 | 1431655766 2 | 2 5 | -3 1 | 0 0 : longs cut to int, unsigned products that wrap */
#include <stdio.h>
#include <stdlib.h>
static long loop(int a) {
    long s = 0;
    for (int i = 0; i < a && i < 5000; i++) {
        s++;
    }
    return s;
}
int main(int argc, char **argv) {
    long s = 0;
    int n = argc > 1 ? atoi(argv[1]) : 3, m = argc > 2 ? atoi(argv[2]) : 2;
    int k = (int)((long)n * 3000000000L);
    for (int i = 0; i < k; i += 1000000) {
        s++;
    }
    unsigned u = (unsigned)((long)m << 31);
    for (unsigned i = 0; i < u; i += 100000000) {
        s++;
    }
    for (unsigned i = 0; i < n * 3u && s < 100000; i++) {
        s++;
    }
    int w = (int)(n * 3u);
    for (int i = 0; i < w && i < 7000; i++) {
        s++;
    }
    s += loop((int)((long)n * 5));
    for (int i = 0; i < (int)(3000000000u + m) && i < 9000; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
