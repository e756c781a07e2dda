// vary: n=4:20; exact: 10 of 11
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long s = 0;

static int *made(int n) {
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    return a;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    a = realloc(a, (n + 9) * sizeof(int));
    a[0] = 5;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < a[i]; k++) {
            s++;
        }
    }
    int *b = made(n);
    b[1] = 7;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < b[i]; k++) {
            s++;
        }
    }
    int *c = calloc(n, sizeof(int));
    c[1] = 7;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < c[i]; k++) {
            s++;
        }
    }
    int *d = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        d[i] = i;
    }
    d = realloc(d, 2 * n * sizeof(int));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < d[i]; k++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
