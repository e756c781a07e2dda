/* args: 4 3 | 8 40000 | 0 -32769 : an argument that is only used cut to a short */
#include <stdio.h>
#include <stdlib.h>
static long loop(short a) {
    long s = 0;
    int i = 0;
    while (i < a) {
        s++;
        i++;
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc < 3) return 0;
    int m = atoi(argv[2]);
    printf("%ld\n", loop((short)m));
    return 0;
}
