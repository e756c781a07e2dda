/* Histogram of n random keys in n/4 bins, prefix sum, and a counting sort with it. */
#include <stdio.h>
#include <stdlib.h>

static void count(int n, const int *key, int *bins) {
    for (int i = 0; i < n; i++) bins[key[i]]++;
}

static void prefix(int m, int *bins) {
    int sum = 0;
    for (int b = 0; b < m; b++) {
        int here = bins[b];
        bins[b] = sum;
        sum += here;
    }
}

static void place(int n, const int *key, int *bins, int *sorted) {
    for (int i = 0; i < n; i++) sorted[bins[key[i]]++] = i;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10000;
    int m = n / 4 + 1;
    int *key = malloc(n * sizeof *key), *bins = calloc(m, sizeof *bins), *sorted = malloc(n * sizeof *sorted);
    unsigned state = 11;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        key[i] = (int)(((unsigned long long)state * (unsigned long long)m) >> 32);
    }
    count(n, key, bins);
    prefix(m, bins);
    place(n, key, bins, sorted);
    printf("%d\n", sorted[n / 2]);
    return 0;
}
