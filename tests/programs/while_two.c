// vary: n=-3:40; exact: 2 of 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    int i = 0, j = n;
    while (i < j) {
        i++;
        j--;
    }
    int k = 2;
    while (k < n && k != 12) {
        k += 2;
    }
    printf("%ld\n", (long)s);
    return 0;
}
