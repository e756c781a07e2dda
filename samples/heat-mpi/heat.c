// Heat in a rod on p processes: each has ceil((n - rank) / p) points and talks to its neighbours.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double step(const double *now, double *next, int mine) {
    double change = 0;
    for (int i = 1; i <= mine; i++) {
        next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        change += (next[i] - now[i]) * (next[i] - now[i]);
    }
    return change;
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    int mine = (n - rank + size - 1) / size;
    double *now = calloc(mine + 2, sizeof *now), *next = calloc(mine + 2, sizeof *next), change = 0, all = 0;
    for (int i = 1; i <= mine; i++) {
        now[i] = (rank + i) % 7;
    }
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int t = 0; t < steps; t++) {
        MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, left, 0, &now[mine + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&now[mine], 1, MPI_DOUBLE, right, 1, &now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        change = step(now, next, mine);
        double *other = now;
        now = next;
        next = other;
    }
    MPI_Reduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%g\n", all);
    }
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
