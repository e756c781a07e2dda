/* 7: n=7 | 12: n=12 */
#include <stdio.h>
#include <stdlib.h>

static int rising(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void insertion(int *a, int n, int (*less)(const void *, const void *)) {
    for (int i = 1; i < n; i++) { /* n - 1 */
        int key = a[i], j = i;
        while (j > 0 && less(&key, &a[j - 1]) < 0) { /* data */
            a[j] = a[j - 1];
            j--;
        }
        a[j] = key;
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: comparator n\n", stderr);
        return EXIT_FAILURE;
    }
    int n = (int)strtol(argv[1], NULL, 10);
    int *a = malloc(n * sizeof *a);
    if (a == NULL)
        return EXIT_FAILURE;
    for (int i = 0; i < n; i++) { /* n */
        a[i] = (i * 7919) % 101;
    }
    insertion(a, n, rising);
    qsort(a, n, sizeof *a, rising);
    int inversions = 0;
    for (int i = 1; i < n; i++) { /* n - 1 */
        inversions += a[i] < a[i - 1];
    }
    printf("%d\n", inversions);
    return 0;
}
