/* args: 5 3 | 2147483645 2 | 2147483647 7 | -2147483648 9 | 715827884 1 | -6 0 : sums that wrap around and are kept, passed or returned, and then read : flags: -fwrapv */
#include <stdio.h>
#include <stdlib.h>
struct box {
    int k, n;
};
struct pair {
    int lo, hi;
};
static int limit, steps;
static int after(int n) {
    return n + 5;
}
static void set(int *p, int n) {
    *p = n - 7;
}
static void passed(int k) {
    for (long i = 0; i < k; i += 100000000) {
        steps++;
    }
}
static void in_registers(struct pair p) {
    for (long i = 0; i < p.hi; i += 100000000) {
        steps++;
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), table[4] = {1, 2, 3, 4}, got;
    struct box *b = malloc(sizeof *b);
    struct pair p = {1, n * 3};
    b->k = n + 5;
    limit = 2 * n;
    table[2] = 5 - n;
    set(&got, n);
    for (long i = 0; i < b->k; i += 100000000) {
        steps++;
    }
    for (long i = 0; i < limit; i += 100000000) {
        steps++;
    }
    for (long i = 0; i < table[2]; i += 100000000) {
        steps++;
    }
    for (long i = 0; i < got; i += 100000000) {
        steps++;
    }
    for (long i = 0; i < after(n); i += 100000000) {
        steps++;
    }
    passed(n + 5);
    in_registers(p);
    b->n = n;
    for (int j = 0; j < m; j++) {
        b->n += 1000000000;
    }
    for (long i = 0; i < b->n; i += 100000000) {
        steps++;
    }
    b->n = n;
    for (int j = 0; j < m; j++) {
        b->n += (long)m;
    }
    for (int i = 0; i < (b->n > 100 ? 3 : 5); i++) {
        steps++;
    }
#if __clang_major__ >= 19 /* before, -fwrapv does not define what the least int has */
    for (int i = 0; i < (abs(n) >= 0 ? 4 : 2); i++) {
        steps++;
    }
#endif
    int k = (int)((unsigned)n + 5u) - 3;
    for (long i = 0; i < k; i += 100000000) {
        steps++;
    }
    printf("%d\n", steps);
    free(b);
}
