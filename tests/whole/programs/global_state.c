/* 4 3: N=4 IT=3 | 6 2: N=6 IT=2 */
#include <stdio.h>
#include <stdlib.h>
static int N, IT, nelem, nnode;
static double *elem, *node;
static int (*conn)[4];
static void setup(int argc, char **argv) {
    if (argc > 1) {
        N = atoi(argv[1]);
    } else {
        N = 10;
    }
    if (argc > 2) {
        IT = atoi(argv[2]);
    }
    nelem = N * N;
    nnode = (N + 1) * (N + 1);
    elem = (double *)malloc(nelem * sizeof(double));
    node = (double *)malloc(nnode * sizeof(double));
    conn = malloc(nelem * sizeof *conn);
    if (!elem || !node || !conn) {
        fprintf(stderr, "memory\n");
        exit(-1);
    }
    for (int j = 0; j < N; j++) { /* N */
        for (int i = 0; i < N; i++) { /* N**2 */
            int e = j * N + i;
            conn[e][0] = j * (N + 1) + i;
            conn[e][1] = conn[e][0] + 1;
            conn[e][2] = conn[e][0] + N + 1;
            conn[e][3] = conn[e][2] + 1;
        }
    }
}
static void gather(void) {
    for (int e = 0; e < nelem; e++) { /* IT*N**2 */
        elem[e] = 0;
        for (int k = 0; k < 4; k++) { /* 4*IT*N**2 */
            elem[e] += node[conn[e][k]];
        }
    }
}
static void scatter(void) {
    for (int i = 0; i < nnode; i++) { /* IT*(N+1)**2 */
        node[i] = 1;
    }
}
int main(int argc, char **argv) {
    setup(argc, argv);
    for (int t = 0; t < IT; t++) { /* IT */
        scatter();
        gather();
    }
    printf("%g\n", elem[0]);
    return 0;
}
