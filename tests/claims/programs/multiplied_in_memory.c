/* args: 5 | 1 | 0 | 100 | 70000 : numbers in memory that loops multiply until they are large, or wrap around */
#include <stdio.h>
#include <stdlib.h>
struct table {
    unsigned cap, other;
    unsigned char small;
    unsigned short half;
    int wide;
};
static unsigned seed = 7;
static void grow(struct table *t, int n) {
    t->cap = 1;
    while (t->cap < 2u * n) {
        t->cap *= 2;
    }
}
static void to_zero(struct table *t) {
    while (t->cap != 0) {
        t->cap <<= 1;
    }
}
static int drawn(unsigned n) {
    int k = 0;
    do {
        seed = seed * 1103515245u + 12345u;
        k++;
    } while ((seed >> 16) % (n + 3) != 1 && k < 1000);
    return k;
}
static int three(struct table *t, int n) {
    t->wide = 1;
    while (t->wide <= n) {
        t->wide = 3 * t->wide + 1;
        t->other++;
    }
    return t->wide;
}
static void bytes(struct table *t) {
    t->small = 1;
    while (t->small < 200 && t->small) {
        t->small *= 3;
        if (t->small == 1) break;
    }
    t->half = 1;
    while (t->half < 60000 && t->half != 0) {
        t->half *= 2;
    }
}
static void down(struct table *t, int n) {
    t->wide = n;
    while (t->wide > 0) {
        t->wide /= 2;
        t->other++;
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    struct table t = {0};
    grow(&t, n);
    for (unsigned i = 0; i < t.cap; i++) {
        t.other++;
    }
    to_zero(&t);
    int k = drawn(n), m = three(&t, n);
    bytes(&t);
    down(&t, n);
    for (int i = 0; i < t.small + t.half; i++) {
        k++;
    }
    printf("%u %d %d\n", t.other, k, m);
    return 0;
}
