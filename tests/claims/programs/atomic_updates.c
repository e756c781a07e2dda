/* args: 5 | 20 | 1 | 0 : atomic updates */
#include <stdio.h>
#include <stdlib.h>

static int ga[4];
struct o { int v; int n; };

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    long s = 0;
    ga[1] = n;
    int was = __atomic_exchange_n(&ga[1], n + 2, __ATOMIC_RELAXED);
    for (int i = 0; i < ga[1]; i++) {
        s++;
    }
    int want = n + 2;
    __atomic_compare_exchange_n(&ga[1], &want, 4, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    for (int i = 0; i < ga[1]; i++) {
        s++;
    }
    struct o *p = calloc(1, sizeof *p);
    p->n = n;
    __atomic_fetch_add(&p->n, 3, __ATOMIC_RELAXED);
    for (int i = 0; i < p->n; i++) {
        s++;
    }
    int loc = n;
    int old = __sync_fetch_and_sub(&loc, 1);
    for (int i = 0; i < loc; i++) {
        s++;
    }
    for (int i = 0; i < old; i++) {
        s++;
    }
    printf("%ld %d\n", s, was);
    return 0;
}
