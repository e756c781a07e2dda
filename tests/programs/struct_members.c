// vary: n=-3:12; exact: 6 of 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long s;

struct size { int rows, columns; };
struct grid { double *data; struct size size; int *index; };

static void set(struct size *size, int rows, int columns) {
    size->rows = rows;
    size->columns = columns;
}

static int columns(const struct grid *g) { return g->size.columns; }

static void sweep(struct grid *g) {
    for (int i = 0; i < g->size.rows; i++) {
        g->index[i & 7] = i; /* another int, not a member */
        for (int j = 0; j < columns(g); j++) {
            s++;
        }
    }
}

static void twice(struct size by_value) {
    for (int i = 0; i < by_value.rows; i++) {
        s++;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    int index[8];
    struct grid a, b;
    a.index = b.index = index;
    set(&a.size, n, 2 * n);
    set(&b.size, 3, n + 1);
    sweep(&a);
    sweep(&b);
    struct size copy = a.size;
    twice(copy); /* in registers: two members in one */
    copy.rows = 4;
    for (int i = 0; i < copy.rows; i++) {
        s++;
    }
    struct size zero;
    memset(&zero, 0, sizeof zero);
    if (n > 5) zero.rows = n;
    for (int i = 0; i < zero.rows; i++) {
        s++;
    }
    for (int i = 0; i < zero.columns; i++) {
        s++;
    }
    return 0;
}
