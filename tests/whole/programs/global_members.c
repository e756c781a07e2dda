/* 6 4 -i3: nx=6 ny=4 iters=3 | 3 5: nx=3 ny=5 iters=2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int iters, verbose;
    int level[2];
} settings = {2, 0, {1, 1}};

struct domain {
    struct dims {
        int nx, ny;
    } d;
    double *field;
};
static struct domain dom;

static void allocate(void) {
    int n = dom.d.nx * dom.d.ny;
    dom.field = malloc(n * sizeof *dom.field);
    for (int i = 0; i < n; i++) { /* nx*ny */
        dom.field[i] = i;
    }
}

static void sweep(void) {
    for (int j = 1; j < dom.d.ny - 1; j++) { /* iters*(ny - 2) */
        for (int i = 1; i < dom.d.nx - 1; i++) { /* iters*(nx - 2)*(ny - 2) */
            dom.field[j * dom.d.nx + i] /= 2;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    dom.d = (struct dims){atoi(argv[1]), atoi(argv[2])};
    for (int k = 3; k < argc; k++) { /* data */
        if (strncmp(argv[k], "-i", 2) == 0)
            settings.iters = atoi(argv[k] + 2);
        else
            settings.verbose = 1;
    }
    allocate();
    for (int t = 0; t < settings.iters; t++) { /* iters */
        sweep();
    }
    if (settings.verbose)
        printf("%d\n", settings.level[1]);
    printf("%g\n", dom.field[0]);
    return 0;
}
