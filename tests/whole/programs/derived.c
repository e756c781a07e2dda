/* 6 5 4: nx=6 ny=5 block=4 | 8 3 7: nx=8 ny=3 block=7 */
#include <stdio.h>
#include <stdlib.h>
struct dom {
    int nx, ny, size, pad, blocks;
    double *d;
};
static int dom_init(struct dom *d, int nx, int ny, int block) {
    d->nx = nx;
    d->ny = ny;
    d->pad = 2;
    d->size = (nx + 2 * d->pad) * (ny + 2 * d->pad);
    d->blocks = (d->size + block - 1) / block;
    d->d = malloc(d->size * sizeof(double));
    return d->d ? 0 : -1;
}
static void dom_clear(struct dom *d) {
    for (int i = 0; i < d->size; i++) { /* (nx+4)*(ny+4) */
        d->d[i] = 0;
    }
}
static double dom_sum(const struct dom *d) {
    double s = 0;
    int w = d->nx + 2 * d->pad;
    for (int j = d->pad; j < d->ny + d->pad; j++) { /* ny */
        for (int i = d->pad; i < d->nx + d->pad; i++) { /* nx*ny */
            s += d->d[j * w + i];
        }
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc < 4) {
        printf("need nx ny block\n");
        return EXIT_FAILURE;
    }
    struct dom d;
    if (dom_init(&d, atoi(argv[1]), atoi(argv[2]), atoi(argv[3])) != 0) {
        fprintf(stderr, "no memory\n");
        return EXIT_FAILURE;
    }
    dom_clear(&d);
    int heavy = 0;
    for (int b = 0; b < d.blocks; b++) { /* ceiling((nx+4)*(ny+4)/block) */
        heavy += b & 1;
    }
    printf("%g %d\n", dom_sum(&d), heavy);
    free(d.d);
    return EXIT_SUCCESS;
}
