/* 20: n=20 | 50: n=50 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[8];
    int key;
};

static int by_name(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    for (int k = 0; k < 8; k++) { /* data */
        if (x->name[k] != y->name[k]) {
            return x->name[k] < y->name[k] ? -1 : 1;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    struct record *r = malloc(n * sizeof *r);
    if (!r) {
        return 1;
    }
    for (int i = 0; i < n; i++) { /* n */
        r[i].key = (i * 7919) % 1000;
        snprintf(r[i].name, sizeof r[i].name, "%d", r[i].key);
    }
    qsort(r, n, sizeof *r, by_name);
    int unsorted = 0;
    for (int i = 1; i < n; i++) { /* n - 1 */
        unsorted += strcmp(r[i - 1].name, r[i].name) > 0;
    }
    printf("%d\n", unsorted);
    free(r);
    return 0;
}
