/* Four parallel kernels of known structure, timed rank by rank: a 2-D stencil with halos (1), the
   vector updates and dot products of a solver (2), a transpose (3), tasks of a master (4); n cells.

       mpicc -O2 scaling.c -o scaling && mpiexec -n 4 ./scaling 1 65536 20

   Rank 0 prints a line of JSON for each rank and metric: "compute", CPU seconds of the rank's work;
   "messages", "bytes" and "collectives" that it took part in, exactly. Wall time is left out: on
   fewer cores than ranks it means nothing. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STENCIL = 1, SOLVER, TRANSPOSE, TASKS, CHUNKS = 256, METRICS = 4 };

static int p, rank;
static double compute, messages, bytes, collectives;

static double cpu(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void exchange(double *send, double *receive, int count, int to, int from) {
    MPI_Sendrecv(send, count, MPI_DOUBLE, to, 0, receive, count, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    messages += to != MPI_PROC_NULL;
    bytes += to != MPI_PROC_NULL ? 8.0 * count : 0;
}

/* Rows of a square are distributed in blocks; each rank holds a row of both neighbours. */
static void stencil(long n, int steps) {
    long side = lround(sqrt((double)n)), rows = side / p + (rank < side % p);
    double *now = calloc((rows + 2) * side, 8), *next = calloc((rows + 2) * side, 8);
    int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank < p - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < steps; step++) {
        exchange(now + side, now + (rows + 1) * side, side, up, down);
        exchange(now + rows * side, now, side, down, up);
        double start = cpu();
        for (long i = 1; i <= rows; i++) {
            for (long j = 1; j < side - 1; j++) {
                next[i * side + j] = 0.25 * (now[i * side + j - 1] + now[i * side + j + 1] + now[(i - 1) * side + j]
                                             + now[(i + 1) * side + j]) + 1e-3;
            }
        }
        compute += cpu() - start;
        double *other = now;
        now = next;
        next = other;
    }
    free(now);
    free(next);
}

static void solver(long n, int steps) {
    long mine = n / p + (rank < n % p);
    double *x = malloc(8 * mine), *y = malloc(8 * mine), sum = 0, all = 1;
    for (long i = 0; i < mine; i++) x[i] = y[i] = 1.0 / (i + 1);
    for (int step = 0; step < steps; step++) {
        double start = cpu();
        sum = 0;
        for (long i = 0; i < mine; i++) {
            x[i] += 1e-3 * all * y[i];
            sum += x[i] * y[i];
        }
        compute += cpu() - start;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        all = 1 / (1 + all);
        collectives++;
    }
    free(x);
    free(y);
}

static void transpose(long n, int steps) {
    long each = n / ((long)p * p) + 1;
    double *send = malloc(8 * each * p), *receive = malloc(8 * each * p);
    for (long i = 0; i < each * p; i++) send[i] = i;
    for (int step = 0; step < steps; step++) {
        MPI_Alltoall(send, each, MPI_DOUBLE, receive, each, MPI_DOUBLE, MPI_COMM_WORLD);
        messages += p - 1;
        bytes += 8.0 * each * (p - 1);
        double start = cpu();
        for (long i = 0; i < each * p; i++) send[i] = sin(receive[i]) + 1;
        compute += cpu() - start;
    }
    free(send);
    free(receive);
}

static double task(long cells) {
    double sum = 0;
    for (long i = 0; i < cells; i++) sum += sqrt(i + sum);
    return sum;
}

static void tasks(long n, int steps) {
    for (int step = 0; step < steps; step++) {
        double answer = 0, question = 0;
        if (p == 1) {
            double start = cpu();
            for (int k = 0; k < CHUNKS; k++) answer += task(n / CHUNKS);
            compute += cpu() - start;
        } else if (rank == 0) {
            for (int k = 0; k < CHUNKS + p - 1; k++) {
                MPI_Status status;
                MPI_Recv(&answer, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
                question = k < CHUNKS;
                MPI_Send(&question, 1, MPI_DOUBLE, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
                messages += 2;
                bytes += 16;
            }
        } else {
            do {
                MPI_Send(&answer, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
                MPI_Recv(&question, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                messages += 2;
                bytes += 16;
                if (question) {
                    double start = cpu();
                    answer = task(n / CHUNKS);
                    compute += cpu() - start;
                }
            } while (question);
        }
    }
}

int main(int argc, char **argv) {
    static const char *const names[] = {"", "stencil", "solver", "transpose", "tasks"};
    static const char *const metrics[METRICS] = {"compute", "messages", "bytes", "collectives"};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 4) {
        if (rank == 0) fprintf(stderr, "usage: scaling KERNEL CELLS STEPS, with a kernel from 1 to 4\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int kernel = atoi(argv[1]), steps = atoi(argv[3]);
    long n = atol(argv[2]);
    if (kernel == STENCIL) stencil(n, steps);
    if (kernel == SOLVER) solver(n, steps);
    if (kernel == TRANSPOSE) transpose(n, steps);
    if (kernel == TASKS) tasks(n, steps);
    double own[METRICS] = {compute, messages, bytes, collectives};
    double *all = malloc(sizeof own * p);
    MPI_Gather(own, METRICS, MPI_DOUBLE, all, METRICS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < p; r++) {
        for (int m = 0; m < METRICS; m++) {
            printf("{\"params\": {\"n\": %ld, \"p\": %d}, \"callpath\": \"%s\", \"metric\": \"%s\", \"rank\": %d, "
                   "\"value\": %.17g}\n", n, p, names[kernel], metrics[m], r, all[METRICS * r + m]);
        }
    }
    free(all);
    MPI_Finalize();
    return 0;
}
