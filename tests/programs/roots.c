// vary: n=-3:60; exact: 8 of 8
#include <stdlib.h>

static volatile long s;

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    for (int i = 1; i * i <= n; i++) {
        s++;
    }
    for (long i = 2; i * i < n; i++) {
        s++;
    }
    for (int i = 0; i * i * i < n; i++) {
        s++;
    }
    int j = n, k = 7;
    while (j > 0) {
        s++;
        j += k;
        k--;
    }
    int sum = 0;
    for (int i = 0; sum < n; i++) {
        s++;
        sum += i;
    }
    int odd = 1, left = n;
    while (left >= odd) {
        s++;
        left -= odd;
        odd += 2;
    }
    for (int i = 1; i * i <= n; i++) {
        for (int m = i; m < 2 * i; m++) {
            s++;
        }
    }
    return 0;
}
