/* Quicksort (Hoare's partition) and top-down merge sort of random numbers, insertion sort below 16. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void insertion(double *a, int low, int high) {
    for (int i = low + 1; i < high; i++) {
        double v = a[i];
        int j = i;
        while (j > low && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}

static void quick(double *a, int low, int high) {
    while (high - low > 16) {
        double pivot = a[low + (high - low) / 2];
        int i = low, j = high - 1;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) {
                double t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (j + 1 - low < high - i) {
            quick(a, low, j + 1);
            low = i;
        } else {
            quick(a, i, high);
            high = j + 1;
        }
    }
    insertion(a, low, high);
}

static void merge(double *a, double *room, int low, int high) {
    if (high - low <= 16) {
        insertion(a, low, high);
        return;
    }
    int middle = low + (high - low) / 2;
    merge(a, room, low, middle);
    merge(a, room, middle, high);
    memcpy(room + low, a + low, (middle - low) * sizeof *a);
    int i = low, j = middle, k = low;
    while (i < middle) a[k++] = j < high && a[j] < room[i] ? a[j++] : room[i++];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *room = malloc(n * sizeof *room);
    unsigned state = 3;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = b[i] = state >> 4;
    }
    quick(a, 0, n);
    merge(b, room, 0, n);
    int equal = 1;
    for (int i = 0; i < n; i++) equal &= a[i] == b[i];
    printf("%d %g\n", equal, a[n / 2]);
    return 0;
}
