// vary: n=-3:40 m=-3:40; exact: 1 of 8; bounded: 6
#include <stdio.h>
#include <stdlib.h>

static int noise(int i) { return (i * 2654435761u) >> 28; }

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    unsigned char data[64];
    volatile long s = 0;
    for (int i = 0; i < 64; i++) {
        data[i] = noise(i);
    }
    int k = 0;
    while (k < n && data[k & 63] != 3) {
        k++;
    }
    s += k;
    for (k = 0; data[k & 63] != 5 && k < n && k < m; k += 2) {
        s++;
    }
    k = m;
    do {
        k--;
        s++;
    } while (k > 0 && data[(k + n) & 63] > 1);
    for (k = 1; k < n && data[k & 63]; k *= 3) {
        if (data[k & 63] == 7) break;
        s++;
    }
    for (k = 0; k < n || data[k & 63] > 4; k++) { /* data may prolong it */
        s++;
    }
    for (k = n; k > m && data[k & 63] != 2; k -= 3) {
        s++;
    }
    for (k = 0;;) { /* an exit that is met only where others have said so */
        if (k >= 2 * n + 3) break;
        if (k == m + 5 && (data[n & 63] > 3 || k != n + 2)) break;
        k++;
        s++;
    }
    printf("%ld\n", (long)s);
    return 0;
}
