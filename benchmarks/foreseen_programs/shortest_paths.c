/* 6000 4 */
#include <stdio.h>
#include <stdlib.h>
struct item { int d, v; };
static void push(struct item *h, int *n, struct item x) {
    int k = (*n)++;
    while (k > 0 && h[(k - 1) / 2].d > x.d) { h[k] = h[(k - 1) / 2]; k = (k - 1) / 2; }
    h[k] = x;
}
static struct item pop(struct item *h, int *n) {
    struct item top = h[0], x = h[--*n];
    int k = 0;
    for (;;) {
        int c = 2 * k + 1;
        if (c >= *n) break;
        if (c + 1 < *n && h[c + 1].d < h[c].d) c++;
        if (h[c].d >= x.d) break;
        h[k] = h[c];
        k = c;
    }
    h[k] = x;
    return top;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    int *first = malloc((n + 1) * 4L), *to = malloc(20L * n), *w = malloc(20L * n), *d = malloc(4L * n), m = 0;
    struct item *h = malloc(sizeof *h * 6L * n);
    unsigned st = 1;
    for (int i = 0; i < n; i++) {
        first[i] = m;
        for (int k = 0; k < 2 + i % 4; k++) { st = st * 1664525u + 1013904223u; to[m] = (st >> 6) % n; w[m++] = 1 + (st >> 25); }
    }
    first[n] = m;
    long s = 0;
    for (int r = 0; r < rounds; r++) {
        int size = 0;
        for (int i = 0; i < n; i++) d[i] = 1 << 30;
        d[r] = 0;
        push(h, &size, (struct item){0, r});
        while (size) {
            struct item x = pop(h, &size);
            if (x.d > d[x.v]) continue;
            for (int e = first[x.v]; e < first[x.v + 1]; e++)
                if (x.d + w[e] < d[to[e]]) { d[to[e]] = x.d + w[e]; push(h, &size, (struct item){d[to[e]], to[e]}); }
        }
        for (int i = 0; i < n; i++) s += d[i] < 1 << 30 ? d[i] : 0;
    }
    printf("%ld\n", s);
    return 0;
}
