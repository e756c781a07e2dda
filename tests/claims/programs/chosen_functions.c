/* args: 5 3 | 0 0 | 2 4 | 9 2 | 20 7 : callbacks in structs, callbacks changed in a loop, recursion through pointers, returned functions, hooks, weak functions */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long total;
typedef int (*op)(int);
static int one(int k) {
    for (int i = 0; i < 1; i++) {
        total++;
    }
    return k - 1;
}
static int two(int k) {
    for (int i = 0; i < 2; i++) {
        total++;
    }
    return k - 2;
}
static int deep(int k) {
    for (int i = 0; i < k; i++) {
        total++;
    }
    return k > 0 ? deep(k / 2) : 0;
}
static op choose(int k) { return k > 4 ? one : two; }
static op table[3] = {one, two, deep};
struct driver { op step; int (*finish)(struct driver *); int left; };
static int finish(struct driver *d) {
    for (int i = 0; i < d->left; i++) {
        total++;
    }
    return 0;
}
static void drive(struct driver *d) {
    while (d->left > 0) {
        d->left = d->step(d->left);
        if (d->left == 3) d->step = two;
    }
    d->finish(d);
}
static void apply(op f, int n) {
    for (int i = 0; i < n; i++) {
        f(i);
    }
}
static void twice(void (*g)(op, int), op f, int n) { g(f, n); g(f, n); }
static op hook;
static void install(op f) { hook = f; }
__attribute__((weak)) int optional(int k) {
    for (int i = 0; i < k; i++) {
        total++;
    }
    return k;
}
static int even(int n);
static int odd(int n) {
    for (int i = 0; i < 1; i++) {
        total++;
    }
    return n > 0 ? even(n - 1) : 0;
}
static int even(int n) { return n > 0 ? odd(n - 1) : 1; }
static int ackermann(int m, int n) {
    for (int i = 0; i < 1; i++) {
        total++;
    }
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    choose(n)(m);
    table[n % 3](m);
    struct driver d = {one, finish, n};
    drive(&d);
    apply(one, n);
    apply(choose(m), m);
    twice(apply, two, m);
    install(n > 2 ? one : NULL);
    if (hook) hook(1);
    optional(n);
    even(n);
    ackermann(1, m);
    op local[2];
    memcpy(local, table, sizeof local);
    local[1](1);
    for (int i = 0; i < 3; i++) {
        table[i](i);
        table[i] = one;
    }
    printf("%ld\n", total);
    return 0;
}
