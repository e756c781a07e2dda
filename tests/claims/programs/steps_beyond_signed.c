/* args: 5 3 | 2147483647 2 | 2147483640 7 | -2147483648 3 | 7 -2147483640 | 1900000000 -2000000000 : signed steps that wrap
   flags: -fwrapv */
#include <stdio.h>
#include <stdlib.h>
static long t;
static void h(int n, int s) {
    for (int i = 0, k = 0; i < n && k < 50; i += 1 << 28, k++) {
        t++;
    }
    for (int i = 0, k = 0; i <= n && k < 50; i += 7 << 24, k++) {
        t++;
    }
    for (int i = n - 3, k = 0; i <= n && k < 50; i++, k++) {
        t++;
    }
    for (int i = n, k = 0; i > s && k < 50; i -= 1 << 28, k++) {
        t++;
    }
    for (int i = n, k = 0; i >= s && k < 50; i -= 1 << 28, k++) {
        t++;
    }
    for (int i = s + 4, k = 0; i >= s && k < 50; i--, k++) {
        t++;
    }
    for (int i = n, k = 0; i != s && k < 50; i -= 1 << 28, k++) {
        t++;
    }
    for (int i = 1, k = 0; i <= n && k < 50; i <<= 1, k++) {
        t++;
    }
    for (int i = 1; i < n; i *= 3) {
        t++;
    }
    for (int i = 1, k = 0; i > 0 && k < 50; i += 1 << 27, k++) {
        t++;
    }
    for (int i = 0, j = n, k = 0; i < j && k < 50; i += 1 << 28, j -= 1 << 28, k++) {
        t++;
    }
    for (int i = 3; i < n; i += 1000003) {
        t++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    h(n, m);
    printf("%ld\n", t);
}
