/* 4: n=4 | 7: n=7 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nx, ny, nz;
    int cells, faces;
} mesh;

static mesh make(int n) {
    mesh m;
    m.nx = n;
    m.ny = 2 * n;
    m.nz = n + 1;
    m.cells = m.nx * m.ny * m.nz;
    m.faces = 3 * m.cells + m.nx * m.ny;
    return m;
}

static double fill(const mesh *m, double *u) {
    int at = 0;
    for (int k = 0; k < m->nz; k++) { /* n + 1 */
        for (int j = 0; j < m->ny; j++) { /* 2*n*(n + 1) */
            for (int i = 0; i < m->nx; i++) { /* 2*n**2*(n + 1) */
                u[at++] = i + j + k;
            }
        }
    }
    return u[at - 1];
}

int main(int argc, char **argv) {
    int n = 8;
    if (argc > 1)
        n = atoi(argv[1]);
    mesh m = make(n);
    double *u = malloc(m.cells * sizeof(double));
    double *f = malloc(m.faces * sizeof(double));
    if (!u || !f)
        exit(1);
    double last = fill(&m, u);
    for (int i = 0; i < m.faces; i++) { /* 6*n**2*(n + 1) + 2*n**2 */
        f[i] = last;
    }
    int half = m.cells / 2, blocks = (m.cells + 15) / 16;
    double s = 0;
    for (int i = half; i < m.cells; i++) { /* n**2*(n + 1) */
        s += u[i];
    }
    for (int b = 0; b < blocks; b++) { /* floor((2*n**2*(n + 1) + 15)/16) */
        s += u[b * 16];
    }
    printf("%g %g\n", s, f[0]);
    return 0;
}
