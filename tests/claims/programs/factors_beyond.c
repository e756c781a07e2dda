/* args: 5 3 | 4294967295 2 | 4294967290 7 | 4026531841 1 | 4026531840 5 | 2147483648 4 | 2863311531 3 : steps and factors without another exit */
#include <stdio.h>
#include <stdlib.h>
static long t;
static void h(unsigned n, unsigned s) {
    for (unsigned i = 0; i < n; i += 300000007) {
        t++;
    }
    for (unsigned i = 1; i < n; i *= 3) {
        t++;
    }
    for (unsigned i = 1; i < n; i *= 2) {
        t++;
    }
    for (unsigned i = 3; i < n; i *= 2) {
        t++;
    }
    for (unsigned i = 0; i < n; i = i * 5 + 1) {
        t++;
    }
    for (unsigned i = 0; i * i < n; i += 3001) {
        t++;
    }
    for (unsigned i = n; i - 3 < n; i -= 300000007) {
        t++;
    }
    for (unsigned i = s; !(i >= n); i += 100000007) {
        t++;
    }
    for (unsigned i = s; 1; i += 100000007) {
        if (i >= n) break;
        t++;
    }
    unsigned k = s;
    while (1) {
        t++;
        if (!(k < n)) break;
        k += 100000007;
    }
}
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10), m = strtoul(argv[2], 0, 10);
    h(n, m);
    printf("%ld\n", t);
}
