/* args: 3 5 | 8 2 | 40 1 | 0 9 | -70000 3 | -3 2 | 70000 4 | 19999 40 | 300 -100 | 300 5 : narrow values that one of several exits tests, which by itself is never taken */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), s = n;
    for (short i = 32000; i > 0; i++) {
        s++;
        if (s > 20000) break;
    }
    printf("%d\n", s);
    s = 0;
    for (int i = 32000, k = 0; (signed char)i >= m; i++) {
        s++;
        if (k++ > 20000) break;
    }
    for (int i = 0; i < m; i++) {
        s++;
        if ((unsigned char)n > 30) break;
    }
    for (int i = 0; i < m; i++) {
        if ((unsigned char)(n + i) < 2) break;
        s++;
    }
    for (unsigned char i = 200; i > 3; i++) {
        if (++s > n) break;
    }
    signed char j = 0;
    for (int i = 0; i < n; i++) {
        if (j == m) break;
        j++;
    }
    unsigned char k = 10;
    for (int i = 0; i < n; i++) {
        if (k == m) break;
        k++;
    }
    unsigned char l = 10;
    for (int i = 0; i < n && l != 5; i++) {
        l++;
    }
    for (int i = 0; i < n && l >= 5; i++) {
        l++;
    }
    printf("%d\n", s);
}
