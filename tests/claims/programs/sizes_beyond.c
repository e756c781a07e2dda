/* args: 5 | 9223372036854775807 | 9223372036854775808 | 18446744073709551615 | 6000000000000000000 : sizes of 2**63 and more, read as sizes and as signed numbers */
#include <stdio.h>
#include <stdlib.h>
struct grid {
    size_t n;
};
static int steps;
static void passed(size_t n) {
    for (size_t i = 0; i < n / 1000000000000000000; i++) {
        steps++;
    }
}
static void fill(struct grid *g) {
    for (size_t i = g->n; i > 0; i /= 2) {
        steps++;
    }
}
int main(int argc, char **argv) {
    size_t n = strtoull(argv[1], 0, 10);
    long k = n;
    struct grid *g = malloc(sizeof *g);
    g->n = n;
    for (size_t i = 0; i < n / 1000000000000000000; i++) {
        steps++;
    }
    for (long i = 0; i < k; i += 1000000000000000000) {
        steps++;
    }
    for (size_t i = n + 5; i > 0; i /= 3) {
        steps++;
    }
    for (size_t i = 0; i < n * 3 && i < 4; i++) {
        steps++;
    }
    passed(n);
    fill(g);
    printf("%d\n", steps);
    free(g);
}
