/* args: 5 3 | 0 0 | 9 1 : tables of functions, pointers in structures, callbacks */
#include <stdio.h>
#include <stdlib.h>
typedef long (*Step)(int);
static long up(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    return s;
}
static long across(int n) {
    long s = 0;
    for (int i = 0; i < 3 * n; i++) {
        s -= i;
    }
    return s;
}
static const Step table[] = {up, across};
struct Operation {
    Step apply;
    int times;
};
static long run(const struct Operation *o, int n) {
    long s = 0;
    for (int i = 0; i < o->times; i++) {
        s += o->apply(n);
    }
    return s;
}
static int ascending(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct Operation o = {up, m};
    long s = run(&o, n) + table[1](n);
    int values[8];
    for (int i = 0; i < 8; i++) {
        values[i] = (i * 5) % 8;
    }
    qsort(values, 8, sizeof *values, ascending);
    for (int i = 0; i < 2; i++) {
        s += table[i](m);
    }
    printf("%ld %d\n", s, values[0]);
}
