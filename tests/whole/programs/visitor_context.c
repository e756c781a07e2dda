/* 4 6: n=4 m=6 | 9 2: n=9 m=2 */
#include <stdio.h>
#include <stdlib.h>

typedef void (*visitor)(int i, void *context);

struct sums {
    int m;
    double *row;
    long calls;
};

static void each(int n, visitor visit, void *context) {
    for (int i = 0; i < n; i++) { /* n + 2*n */
        visit(i, context);
    }
}

static void add_row(int i, void *context) {
    struct sums *s = context;
    for (int j = 0; j < s->m; j++) { /* n*m */
        s->row[j] += i * j;
    }
    s->calls++;
}

static void count(int i, void *context) {
    long *calls = context;
    *calls += i >= 0;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        return 1;
    }
    int n = atoi(argv[1]);
    struct sums s = {.m = atoi(argv[2])};
    s.row = calloc(s.m, sizeof *s.row);
    if (!s.row) {
        return 1;
    }
    long calls = 0;
    each(n, add_row, &s);
    each(2 * n, count, &calls);
    double total = 0;
    for (int j = 0; j < s.m; j++) { /* m */
        total += s.row[j];
    }
    printf("%g %ld %ld\n", total, calls, s.calls);
    free(s.row);
    return 0;
}
