// vary: n=0:60; exact: 9 of 16
// Ranges by two bounds, with each way to write the middle; searches and partitions that data decide.
#include <stdlib.h>

static volatile long s;

static void merge(int *a, int *t, int lo, int mid, int hi) {
    int i = lo, j = mid;
    for (int k = lo; k < hi; k++) {
        if (i < mid && (j >= hi || a[i] <= a[j])) t[k] = a[i++];
        else t[k] = a[j++];
    }
    for (int k = lo; k < hi; k++) {
        a[k] = t[k];
    }
}

static void sort(int *a, int *t, int lo, int hi) {
    if (hi - lo <= 1) return;
    int mid = (lo + hi) / 2;
    sort(a, t, lo, mid);
    sort(a, t, mid, hi);
    merge(a, t, lo, mid, hi);
}

static void merge_inclusive(int *a, int *t, int l, int m, int r) {
    int n1 = m - l + 1, n2 = r - m;
    int *left = t, *right = t + n1;
    for (int i = 0; i < n1; i++) {
        left[i] = a[l + i];
    }
    for (int j = 0; j < n2; j++) {
        right[j] = a[m + 1 + j];
    }
    int i = 0, j = 0;
    for (int k = l; k <= r; k++) {
        if (j >= n2 || (i < n1 && left[i] <= right[j])) a[k] = left[i++];
        else a[k] = right[j++];
    }
}

static void sort_inclusive(int *a, int *t, int l, int r) {
    if (l < r) {
        int m = l + (r - l) / 2;
        sort_inclusive(a, t, l, m);
        sort_inclusive(a, t, m + 1, r);
        merge_inclusive(a, t, l, m, r);
    }
}

static void shifted(int *a, int lo, int hi) {
    if (lo >= hi) return;
    int mid = (lo + hi) >> 1;
    shifted(a, lo, mid);
    shifted(a, mid + 1, hi);
    for (int k = lo; k <= hi; k++) {
        a[k]++;
    }
}

static void sizes(int *a, size_t lo, size_t hi) {
    if (hi - lo < 2) return;
    size_t mid = lo + (hi - lo) / 2;
    sizes(a, lo, mid);
    sizes(a, mid, hi);
    for (size_t k = lo; k < hi; k++) {
        a[k]++;
    }
}

static void pointers(int *a, int n) {
    if (n < 2) return;
    int m = n / 2;
    pointers(a, m);
    pointers(a + m, n - m);
    for (int k = 0; k < n; k++) {
        a[k]++;
    }
}

static long sum(int *a, int lo, int hi) {
    if (hi - lo == 1) return a[lo];
    for (int k = lo; k < hi; k++) {
        s++;
    }
    int mid = lo + (hi - lo) / 2;
    return sum(a, lo, mid) + sum(a, mid, hi);
}

static int largest(int *a, int lo, int hi) {
    if (lo == hi) return a[lo];
    for (int k = lo; k <= hi; k++) {
        s++;
    }
    int mid = (lo + hi) / 2;
    int x = largest(a, lo, mid), y = largest(a, mid + 1, hi);
    return x > y ? x : y;
}

static int search(int *a, int lo, int hi, int key) {
    if (lo >= hi) return lo;
    for (int k = 0; k < 1; k++) {
        s++;
    }
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < key) return search(a, mid + 1, hi, key);
    return search(a, lo, mid, key);
}

static int search_inclusive(int *a, int lo, int hi, int key) {
    if (lo > hi) return -1;
    for (int k = lo; k <= hi; k++) {
        s++;
    }
    int mid = (lo + hi) / 2;
    if (a[mid] == key) return mid;
    if (a[mid] < key) return search_inclusive(a, mid + 1, hi, key);
    return search_inclusive(a, lo, mid - 1, key);
}

static int partition(int *a, int lo, int hi) {
    int p = a[hi], i = lo - 1;
    for (int j = lo; j < hi; j++) {
        if (a[j] <= p) {
            i++;
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    int t = a[i + 1];
    a[i + 1] = a[hi];
    a[hi] = t;
    return i + 1;
}

static void quicksort(int *a, int lo, int hi) {
    if (lo < hi) {
        int p = partition(a, lo, hi);
        quicksort(a, lo, p - 1);
        quicksort(a, p + 1, hi);
    }
}

static void quicksort_pointers(int *a, int n) {
    if (n < 2) return;
    int p = a[n - 1], i = 0;
    for (int j = 0; j < n - 1; j++) {
        if (a[j] < p) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
        }
    }
    int t = a[i];
    a[i] = a[n - 1];
    a[n - 1] = t;
    quicksort_pointers(a, i);
    quicksort_pointers(a + i + 1, n - i - 1);
}

static void perhaps(int *a, int n) {
    if (n <= 0) return;
    for (int k = 0; k < n; k++) {
        s++;
    }
    if (a[n] & 1) perhaps(a, n - 1);
}

static void fill(int *a, int n) {
    for (int i = 0; i < 2 * n + 2; i++) {
        a[i] = i * 7919 % 101;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    int *a = malloc(sizeof(int) * (2 * n + 10)), *t = malloc(sizeof(int) * (2 * n + 10));
    fill(a, n);
    sort(a, t, 0, n);
    sort_inclusive(a, t, 0, n - 1);
    shifted(a, 0, n - 1);
    sizes(a, 0, n);
    pointers(a, n);
    if (n > 0) sum(a, 0, n);
    if (n > 0) largest(a, 0, n - 1);
    search(a, 0, n, 50);
    search_inclusive(a, 0, n - 1, 50);
    fill(a, n);
    quicksort(a, 0, n - 1);
    fill(a, n);
    quicksort_pointers(a, n);
    perhaps(a, n);
    return 0;
}
