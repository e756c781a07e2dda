/* args: 5 | 100 | 127 | 128 | 200 | 300 : a signed char wraps by conversion, which is no overflow */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    long steps = 0;
    signed char c;
    for (c = 0; c < n; c++) {
        if (++steps > 1000) break;
    }
    unsigned char u;
    for (u = 0; u < n; u++) {
        if (++steps > 3000) break;
    }
    short s;
    for (s = 0; s < n * 200; s++) {
        if (++steps > 200000) break;
    }
    unsigned short us;
    for (us = 0; us < n * 300; us++) {
        if (++steps > 500000) break;
    }
    printf("%ld\n", steps);
    return 0;
}
