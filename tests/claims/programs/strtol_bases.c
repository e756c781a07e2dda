/* args: 10 | 0x10 | 010 | 8 | ff : numbers read in another base */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
    const char *s = argc > 1 ? argv[1] : "3";
    long a = strtol(s, NULL, 16), b = strtol(s, NULL, 0), c = strtol(s, NULL, 8);
    int d = 0, e = 0;
    sscanf(s, "%x", &d);
    sscanf(s, "%o", &e);
    long sum = 0;
    for (long i = 0; i < a; i++) {
        sum++;
    }
    for (long i = 0; i < b; i++) {
        sum++;
    }
    for (long i = 0; i < c; i++) {
        sum++;
    }
    for (int i = 0; i < d; i++) {
        sum++;
    }
    for (int i = 0; i < e; i++) {
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
