/* An array that is sorted after each new element. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

void slow(const int *in, int n, int *out) {
    for (int i = 0; i < n; i++) {
        out[i] = in[i];
        qsort(out, i + 1, sizeof *out, compare); /* finding: qsort out */
    }
}

void fast(const int *in, int n, int *out) {
    for (int i = 0; i < n; i++)
        out[i] = in[i];
    qsort(out, n, sizeof *out, compare);
}

int main(void) {
    int a[3] = {3, 1, 2}, o[3]; slow(a, 3, o); fast(a, 3, o); printf("%d\n", o[0]);
    return 0;
}
