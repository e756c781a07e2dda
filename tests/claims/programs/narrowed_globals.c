/* args: 3 5 | 8 2 | 300 -100 | -3 7 | 260 2 : globals set once to narrowed values */
#include <stdio.h>
#include <stdlib.h>
static int lim, lim2 = 4, lim3 = 5;
static unsigned char small;
static short neg = 2;
static unsigned wide;
static long s;
static void f(void) {
    for (int i = 0; i < lim; i++) {
        s++;
    }
    for (int i = 0; i < lim2; i++) {
        s++;
    }
    for (int i = 0; i < lim3; i++) {
        s++;
    }
    for (int i = 0; i < small; i++) {
        s++;
    }
    for (int i = 0; i < neg; i++) {
        s++;
    }
    for (unsigned i = 0; i < wide && i < 1000; i++) {
        s++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    lim = (unsigned char)n;
    if ((unsigned char)n > 5) lim2 = 8;
    if (m > 0) lim3 = (signed char)(n + m);
    small = n;
    neg = n * 1000;
    wide = m;
    f();
    printf("%ld\n", s);
}
