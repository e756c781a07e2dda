/* 5 3: n=5 m=3 | 8 2: n=8 m=2 */
#include <stdio.h>
#include <stdlib.h>

struct graph {
    int n;
    int *degree;
};

static long work;

static struct graph *graph(int n) {
    struct graph *g = malloc(sizeof *g);
    if (!g)
        return NULL;
    g->n = n;
    g->degree = malloc(n * sizeof *g->degree);
    if (!g->degree) {
        free(g);
        return NULL;
    }
    for (int i = 0; i < n; i++) { /* n + m */
        g->degree[i] = i;
    }
    return g;
}

static void add(struct graph *g, int at) {
    if (g != NULL && at < g->n)
        g->degree[at]++;
}

static void visit(const struct graph *g) {
    if (!g)
        return;
    for (int i = 0; i < g->n; i++) { /* n + m */
        work += g->degree[i];
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct graph *g = graph(n);
    if (!g) {
        return 1;
    }
    add(g, 0);
    visit(g);
    struct graph *other = graph(m);
    visit(other);
    visit(NULL);
    printf("%ld\n", work);
    return 0;
}
