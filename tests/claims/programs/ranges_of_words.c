/* args: 5 | -1 | 127 | 128 | 255 | 256 | 32767 | 32768 | 65541 | 4294967301 | 4294967296 | 18446744073709551621 | -4294967291 : words that are larger than what they are read into
   flags: -D_GNU_SOURCE */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long s = 0;
    int a = strtol(argv[1], NULL, 10);
    for (int i = 0; i < a; i++) {
        s++;
    }
    short b = 0;
    sscanf(argv[1], "%hd", &b);
    for (int i = 0; i < b; i++) {
        s++;
    }
    unsigned char c = (unsigned char)strtoul(argv[1], NULL, 10);
    for (int i = 0; i < c; i++) {
        s++;
    }
    signed char d = 0;
    sscanf(argv[1], "%hhd", &d);
    for (int i = 0; i < d; i++) {
        s++;
    }
    unsigned e = strtoumax(argv[1], NULL, 10);
    for (unsigned i = 0; i < e && i < 9; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
