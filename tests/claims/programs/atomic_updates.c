/* args: 5 | 20 | 1 | 0 : atomic updates, and functions that come as numbers and as bytes */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
static long one(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s++;
    }
    return s;
}
static long two(int n) {
    long s = 0;
    for (int i = 0; i < 2 * n; i++) {
        s++;
    }
    return s;
}
static long three(int n) {
    long s = 0;
    for (int i = 0; i < 3 * n; i++) {
        s++;
    }
    return s;
}
static long four(int n) {
    long s = 0;
    for (int i = 0; i < 4 * n; i++) {
        s++;
    }
    return s;
}
typedef long (*f_t)(int);
static f_t h = one, k = one, b = one;
static int g1, ga[4];
struct o { int v; int n; };
int main(int argc, char **argv) {
    int n = atoi(argv[1]); long s = 0;
    __atomic_store_n(&h, two, __ATOMIC_SEQ_CST);
    s += h(n);
    *(uintptr_t *)&k = (uintptr_t)three;
    s += k(n);
    f_t tmp = four;
    for (int i = 0; i < 8; i++) {
        ((char *)&b)[i] = ((char *)&tmp)[i];
    }
    s += b(n);
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
