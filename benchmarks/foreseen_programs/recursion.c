/* 9 24 */
#include <stdio.h>
#include <stdlib.h>
static int place(int *at, int row, int n) {
    if (row == n) return 1;
    int found = 0;
    for (int c = 0; c < n; c++) {
        int ok = 1;
        for (int r = 0; r < row && ok; r++)
            if (at[r] == c || at[r] - c == row - r || c - at[r] == row - r) ok = 0;
        if (ok) { at[row] = c; found += place(at, row + 1, n); }
    }
    return found;
}
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static long partitions(int n, int most) {
    long s = n == 0;
    for (int k = 1; k <= most && k <= n; k++) s += partitions(n - k, k);
    return s;
}
static int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), at[32];
    long s = place(at, 0, n) + fib(m) + partitions(m, m);
    for (int a = 1; a < 16 * m; a++) for (int b = 1; b < 16 * m; b++) s += gcd(a, b) == 1;
    printf("%ld\n", s);
    return 0;
}
