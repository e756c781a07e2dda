// vary: n=-3:20; exact: 2 of 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    volatile long s = 0;
    int i = 0;
    do {
        s++;
        i++;
    } while (i < n);
    int k = n;
    do {
        k -= 3;
    } while (k > 0);
    printf("%ld\n", (long)s);
    return 0;
}
