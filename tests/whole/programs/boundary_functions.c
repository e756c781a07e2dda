/* 5 4 3 2: nx=5 ny=4 nz=3 steps=2 | 2 6 4 3: nx=2 ny=6 nz=4 steps=3 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct domain domain;
typedef void (*boundary)(domain *d, double *u);
struct domain {
    int nx, ny, nz, g;
    int sx, sy, sz;
    double *u, *v;
    boundary bc[3];
};

#define AT(d, i, j, k) (((i) * (d)->sy + (j)) * (d)->sz + (k))

static void bc_x(domain *d, double *u) {
    for (int j = 0; j < d->sy; j++) { /* steps*(ny + 2) */
        for (int k = 0; k < d->sz; k++) { /* steps*(ny + 2)*(nz + 2) */
            u[AT(d, 0, j, k)] = u[AT(d, 1, j, k)];
            u[AT(d, d->nx + 1, j, k)] = u[AT(d, d->nx, j, k)];
        }
    }
}
static void bc_y(domain *d, double *u) {
    for (int i = 0; i < d->sx; i++) { /* steps*(nx + 2) */
        for (int k = 0; k < d->sz; k++) { /* steps*(nx + 2)*(nz + 2) */
            u[AT(d, i, 0, k)] = u[AT(d, i, d->ny, k)];
            u[AT(d, i, d->ny + 1, k)] = u[AT(d, i, 1, k)];
        }
    }
}
static void bc_z(domain *d, double *u) {
    for (int i = 0; i < d->sx; i++) { /* steps*(nx + 2) */
        for (int j = 0; j < d->sy; j++) { /* steps*(nx + 2)*(ny + 2) */
            u[AT(d, i, j, 0)] = u[AT(d, i, j, d->nz + 1)] = 0;
        }
    }
}

static domain *domain_create(int nx, int ny, int nz) {
    domain *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->nx = nx; d->ny = ny; d->nz = nz; d->g = 1;
    d->sx = nx + 2 * d->g; d->sy = ny + 2 * d->g; d->sz = nz + 2 * d->g;
    size_t cells = (size_t)d->sx * d->sy * d->sz;
    d->u = malloc(cells * sizeof(double));
    d->v = malloc(cells * sizeof(double));
    if (!d->u || !d->v) { free(d->u); free(d->v); free(d); return NULL; }
    for (size_t c = 0; c < cells; c++) { /* (nx + 2)*(ny + 2)*(nz + 2) */
        d->u[c] = c % 3;
    }
    memcpy(d->v, d->u, cells * sizeof(double));
    d->bc[0] = bc_x; d->bc[1] = bc_y; d->bc[2] = bc_z;
    return d;
}

static void domain_step(domain *d) {
    for (int b = 0; b < 3; b++) { /* 3*steps */
        d->bc[b](d, d->u);
    }
    for (int i = 1; i <= d->nx; i++) { /* steps*nx */
        for (int j = 1; j <= d->ny; j++) { /* steps*nx*ny */
            for (int k = 1; k <= d->nz; k++) { /* steps*nx*ny*nz */
                d->v[AT(d, i, j, k)] = (d->u[AT(d, i - 1, j, k)] + d->u[AT(d, i + 1, j, k)] + d->u[AT(d, i, j - 1, k)] +
                    d->u[AT(d, i, j + 1, k)] + d->u[AT(d, i, j, k - 1)] + d->u[AT(d, i, j, k + 1)]) / 6;
            }
        }
    }
    double *t = d->u;
    d->u = d->v;
    d->v = t;
}

int main(int argc, char **argv) {
    if (argc != 5) { fprintf(stderr, "usage: %s nx ny nz steps\n", argv[0]); return 1; }
    domain *d = domain_create(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
    if (!d) { fprintf(stderr, "allocation failed\n"); return 1; }
    int steps = atoi(argv[4]);
    for (int s = 0; s < steps; s++) { /* steps */
        domain_step(d);
    }
    printf("%g\n", d->u[AT(d, 1, 1, 1)]);
    free(d->u); free(d->v); free(d);
    return 0;
}
