// vary: n=-3:12 m=-3:12; exact: 2 of 4
#include <stdio.h>
#include <stdlib.h>

struct box { int a, n; long b; };

static long through_argument(struct box *p, int *r) {
    long s = 0;
    for (int i = 0; i < p->n; i++) {
        s++;
        *r -= 1;
    }
    return s;
}

static long through_choice(struct box *p, int *q, int c) {
    long s = 0;
    int *r = c > 3 ? &p->n : q;
    for (int i = 0; i < p->n; i++) {
        s++;
        *r -= 1;
    }
    return s;
}

static void lessen(int *at, int by) { *at -= by; }

static long through_callee(struct box *p) {
    long s = 0;
    for (int i = 0; i < p->n; i++) {
        s++;
        lessen(&p->n, 1);
    }
    return s;
}

static long only_read(struct box *p, const int *r) {
    long s = 0;
    for (int i = 0; i < p->b; i++) {
        s += *r;
    }
    return s;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]), other = 0;
    struct box one = {n, 2 * m + n + 5, n}, two = {m, n + m, n + 3}, three = {n, m, 1}, four = {n, m, m};
    volatile long s = through_argument(&one, &one.n) + through_choice(&two, &other, m);
    s += through_callee(&three);
    s += only_read(&four, &four.n);
    printf("%ld\n", (long)s);
    return 0;
}
