/* args: 5 | 4294967301 | 0 | -1 | -4294967290 | 2147483648 : a word that is cut to fit an int */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atol(argv[1]);
    long s = 0;
    for (int i = 0; i < n; i++) {
        s++;
    }
    for (int i = 0; i < (short)atoll(argv[1]); i++) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
