/* 6 5: n=6 m=5 | 9 2: n=9 m=2 */
#include <stdio.h>
#include <stdlib.h>

static long rec(int n, int m) {
    if (n == 0)
        return 0;
    long s = 0;
    for (int i = 0; i < m; i++) { /* n*m */
        s += i * n;
    }
    return s + rec(n - 1, m);
}

static long split(const int *a, int lo, int hi) {
    if (hi - lo == 1)
        return a[lo];
    int mid = (lo + hi) / 2;
    return split(a, lo, mid) + split(a, mid, hi);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage\n");
        return 1;
    }
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) { /* n */
        a[i] = i;
    }
    printf("%ld %ld\n", rec(n, m), split(a, 0, n));
    return 0;
}
