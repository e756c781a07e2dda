/* Bottom-up merge sort.
 * Shows: doubling widths with min() bounds; exactly n*ceiling(log2(n)) moves, whatever the data. */
#include <stdio.h>
#include <stdlib.h>

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static void merge(const int *from, int *to, int low, int middle, int high) {
    int i = low, j = middle;
    for (int k = low; k < high; k++) {
        int left = i < middle && (j >= high || from[i] <= from[j]);
        to[k] = left ? from[i++] : from[j++];
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10000;
    size_t room = n > 0 ? (size_t)n : 1;
    int *a = malloc(room * sizeof *a), *b = malloc(room * sizeof *b);
    if (!a || !b) return 1;
    unsigned state = 1u;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (int)(state >> 4);
    }
    for (int width = 1; width < n; width *= 2) {
        for (int low = 0; low < n; low += 2 * width) {
            merge(a, b, low, smaller(low + width, n), smaller(low + 2 * width, n));
        }
        int *other = a;
        a = b;
        b = other;
    }
    printf("%d\n", n > 0 ? a[n / 2] : 0);
    free(a);
    free(b);
    return 0;
}
