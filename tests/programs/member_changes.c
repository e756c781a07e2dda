// vary: n=0:12; exact: 1 of 5
#include <stdio.h>
#include <stdlib.h>

static volatile long s;

struct box { int count; int other; };
union both { int number; short half[2]; };

static int limit;
static int by(const void *a, const void *b) { limit--; return *(const int *)a - *(const int *)b; }

static void down(struct box *x, struct box *y) {
    for (int i = 0; i < x->count; i++) {
        y->count--;
    }
}

static void bytes(char *n, int *q) {
    for (int i = 0; i < *n; i++) {
        *q -= 1;
    }
}

static void halves(union both *u) {
    for (int i = 0; i < u->number; i++) {
        u->half[0]--;
    }
}

static void sorted(void) {
    int v[4] = {3, 1, 2, 0};
    for (int i = 0; i < limit; i++) {
        qsort(v, 4, sizeof *v, by);
    }
}

static void exposed(struct box *x) {
    int *p = &x->other;
    for (int i = 0; i < x->other; i++) {
        p[0]--;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    struct box a = {n, n};
    down(&a, &a);
    int z = n;
    bytes((char *)&z, &z);
    union both u;
    u.number = n;
    halves(&u);
    limit = 3 * n;
    sorted();
    exposed(&a);
    return 0;
}
