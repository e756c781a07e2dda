/* A 2-D domain on MPI ranks whose boundary cells cost more than inner ones (Calotoiu et al.,
   "Empirical Modeling of Spatially Diverging Performance", Listing 1). Each rank owns n*n cells; a
   side on the edge of the domain costs COST*n iterations more. Rank 0 prints the input of
   looplaw clusters:

       mpicc -O2 boundary.c -o boundary && mpiexec -n 16 ./boundary 100 20
*/
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COST = 8 };  /* iterations for each boundary cell */

static long iterations;
static volatile double sink;

static void compute_inner(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sink = sink * 0.5 + i - j;
            iterations++;
        }
    }
}

static void compute_boundary(int n) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < COST; k++) {
            sink = sink * 0.5 + i + k;
            iterations++;
        }
    }
}

static void print_all(const char *metric, const double *values, int p, int n, int steps) {
    for (int rank = 0; rank < p; rank++) {
        printf("{\"params\": {\"n\": %d, \"p\": %d, \"steps\": %d}, \"callpath\": \"compute\", \"metric\": \"%s\", "
               "\"rank\": %d, \"value\": %.17g}\n", n, p, steps, metric, rank, values[rank]);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int p, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    MPI_Comm grid;
    MPI_Dims_create(p, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, at);

    double start = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        if (at[0] == 0) compute_boundary(n);            /* top */
        if (at[0] == dims[0] - 1) compute_boundary(n);  /* bottom */
        if (at[1] == 0) compute_boundary(n);            /* left */
        if (at[1] == dims[1] - 1) compute_boundary(n);  /* right */
        compute_inner(n);
    }
    double own[2] = {(double)iterations, MPI_Wtime() - start};

    double *all = malloc(2 * sizeof(double) * p), *column = malloc(sizeof(double) * p);
    MPI_Gather(own, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, grid);
    if (rank == 0) {
        for (int metric = 0; metric < 2; metric++) {
            for (int r = 0; r < p; r++) column[r] = all[2 * r + metric];
            print_all(metric ? "time" : "iterations", column, p, n, steps);
        }
    }
    free(all);
    free(column);
    MPI_Finalize();
    return 0;
}
