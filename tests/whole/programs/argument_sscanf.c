/* 5x4: nx=5 ny=4 | 3x8: nx=3 ny=8 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int nx, ny;
    if (argc != 2 || sscanf(argv[1], "%dx%d", &nx, &ny) != 2) {
        fprintf(stderr, "usage: %s NXxNY\n", argv[0]);
        return 1;
    }
    float *u = calloc((size_t)nx * ny, sizeof *u);
    if (!u)
        return 1;
    for (int j = 0; j < ny; j++) { /* ny */
        for (int i = 0; i < nx; i++) { /* nx*ny */
            u[j * nx + i] = (float)(i - j);
        }
    }
    float most = u[0];
    for (int k = 1; k < nx * ny; k++) { /* nx*ny - 1 */
        if (u[k] > most)
            most = u[k];
    }
    printf("%g\n", most);
    free(u);
    return 0;
}
