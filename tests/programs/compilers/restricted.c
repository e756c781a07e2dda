/* args: 5 3 | 0 0 | 9 4 : restrict, const, static arrays as arguments, bounds in memory */
#include <stdio.h>
#include <stdlib.h>
struct Grid {
    int rows, columns;
    double *values;
};
static void add(int n, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) {
        y[i] += x[i];
    }
}
static double sum(const struct Grid *restrict g) {
    double s = 0;
    for (int i = 0; i < g->rows; i++) {
        for (int j = 0; j < g->columns; j++) {
            s += g->values[i * g->columns + j];
        }
    }
    return s;
}
static void scale(struct Grid *g, double by) {
    for (int i = 0; i < g->rows * g->columns; i++) {
        g->values[i] *= by;
    }
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    struct Grid g = {atoi(argv[1]), atoi(argv[2]), NULL};
    g.values = calloc(g.rows * g.columns + 1, sizeof *g.values);
    if (!g.values) return 1;
    add(g.rows, g.values, g.values + 1);
    scale(&g, 2);
    printf("%g\n", sum(&g));
    free(g.values);
}
