/* 5: n=5 | 7: n=7 */
#include <stdio.h>
#include <stdlib.h>
typedef void (*visit)(void *ctx, int i, int j);
static void grid(int n, visit f, void *ctx) {
    for (int i = 0; i < n; i++) { /* n+2*n */
        for (int j = 0; j < n; j++) { /* n**2+4*n**2 */
            f(ctx, i, j);
        }
    }
}
static void count(void *ctx, int i, int j) {
    *(long *)ctx += i == j;
}
struct acc {
    double s;
    int order;
};
static void poly(void *ctx, int i, int j) {
    struct acc *a = ctx;
    double p = 1;
    for (int k = 0; k < a->order; k++) { /* 20*n**2 */
        p *= i + j;
    }
    a->s += p;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 8;
    long c = 0;
    struct acc a = {0, 5};
    grid(n, count, &c);
    grid(2 * n, poly, &a);
    printf("%ld %g\n", c, a.s);
    return 0;
}
