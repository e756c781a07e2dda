// vary: n=-3:20; exact: 1 of 1
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n;
    double *data;
};

static volatile long s;

static void work(struct grid *g) {
    for (int i = 0; i < g->n; i++) {
        s++;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    struct grid *g = malloc(sizeof *g);
    g->n = atoi(argv[1]);
    g->data = NULL;
    work(g);
    free(g);
    return 0;
}
