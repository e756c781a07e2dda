/* Bounds in a structure handed over by address. L1: n. L2: n m. */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int rows;
    int columns;
    double sum;
};

static void work(struct grid *g)
{
    for (int i = 0; i < g->rows; i++) { /* L1 */
        for (int j = 0; j < g->columns; j++) { /* L2 */
            g->sum += i * j;
        }
    }
}

int main(int argc, char **argv)
{
    struct grid g = {0, 0, 0.0};
    g.rows = argc > 1 ? atoi(argv[1]) : 6;
    g.columns = argc > 2 ? atoi(argv[2]) : 4;
    work(&g);
    printf("%g\n", g.sum);
    return 0;
}
