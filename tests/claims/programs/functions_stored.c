/* args: 5 | 20 | 1 | 0 : functions that come as numbers, as bytes, and from called functions */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
struct ops { int k; f_t run; };
static f_t h = one, k = one, b = one, rows[4];

static void set(f_t *q, f_t f) {
    *q = f;
}

static struct ops *made(f_t f) {
    struct ops *q = calloc(1, sizeof *q);
    q->run = f;
    return q;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    long s = 0;
    __atomic_store_n(&h, two, __ATOMIC_SEQ_CST);
    s += h(n);
    *(uintptr_t *)&k = (uintptr_t)three;
    s += k(n);
    f_t tmp = four;
    for (int i = 0; i < 8; i++) {
        ((char *)&b)[i] = ((char *)&tmp)[i];
    }
    s += b(n);
    f_t local = one;
    set(&local, two);
    s += local(n);
    rows[n & 3] = one;
    set(&rows[n & 3], three);
    s += rows[n & 3](n);
    struct ops *o = made(four);
    if (n > 9) o->run = one;
    s += o->run(n);
    memcpy(&o->run, &tmp, sizeof tmp);
    s += o->run(n);
    printf("%ld\n", s);
    return 0;
}
