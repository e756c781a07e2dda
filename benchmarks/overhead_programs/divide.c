#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void merge(int *a, int *t, int lo, int mid, int hi) {
    int i = lo, j = mid, k = lo;
    while (i < mid && j < hi) t[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    while (i < mid) t[k++] = a[i++];
    while (j < hi) t[k++] = a[j++];
    for (k = lo; k < hi; k++) a[k] = t[k];
}
static void sort(int *a, int *t, int lo, int hi) {
    if (hi - lo < 2) return;
    int mid = lo + (hi - lo) / 2;
    sort(a, t, lo, mid); sort(a, t, mid, hi);
    merge(a, t, lo, mid, hi);
}
static void quick(int *a, int lo, int hi) {
    while (lo < hi) {
        int p = a[(lo + hi) / 2], i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
        }
        if (j - lo < hi - i) { quick(a, lo, j); lo = i; } else { quick(a, i, hi); hi = j; }
    }
}
static double sum(const int *a, int n) {
    if (n <= 8) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
    return sum(a, n / 2) + sum(a + n / 2, n - n / 2);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *t = malloc(n * sizeof *t);
    unsigned st = 1;
    for (int i = 0; i < n; i++) { st = st * 1664525u + 1013904223u; a[i] = b[i] = st >> 4; }
    sort(a, t, 0, n);
    quick(b, 0, n - 1);
    double s = 0;
    for (int r = 0; r < 20; r++) s += sum(a, n - r);
    printf("%d %d %g\n", a[n / 2], b[n / 2], s);
    return 0;
}
