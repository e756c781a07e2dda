/* args: 4 3 | 8 2 | 15 20 : a word of the command line is copied over another, by an intrinsic */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    long s = 0;
    if (argc < 3) return 0;
    memcpy(argv[1], argv[2], 1);
    int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int i = 0; i < n; i++) {
        s++;
    }
    for (int i = 0; i < m; i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
