/* args: 5 3 | 1 1 | 9 4 : arrays of variable length, in one and two dimensions, as arguments */
#include <stdio.h>
#include <stdlib.h>
static double trace(int n, double a[n][n]) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i][i];
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    if (n < 1 || m < 1) return 2;
    double a[n][n];
    int row[m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i][j] = i * j;
        }
    }
    for (int i = 0; i < m; i++) {
        row[i] = i;
    }
    for (int i = 0; i < (int)(sizeof row / sizeof row[0]); i++) {
        a[0][0] += row[i];
    }
    printf("%g\n", trace(n, a));
}
