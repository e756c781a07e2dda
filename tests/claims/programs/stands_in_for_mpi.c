/* args: 5 3 | 0 0 | 2 4 | 9 2 : a program with an MPI and scanf of its own */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
int printf(const char *f, ...);
typedef int MPI_Comm;
typedef int MPI_Datatype;
#define MPI_COMM_WORLD 0x44000000
static int t;
int MPI_Comm_size(MPI_Comm c, int *size) { *size = 2; return 0; }
int MPI_Comm_rank(MPI_Comm c, int *rank) { *rank = 1; return 0; }
int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype d, int op, MPI_Comm c) { *(int *)out = *(const int *)in + 1; return 0; }
int MPI_Send(const void *in, int n, MPI_Datatype d, int to, int tag, MPI_Comm c) { t += 3; return 4; }
int omp_get_max_threads(void) { return 2; }
int omp_get_num_threads(void) { return 3; }
int sscanf(const char *s, const char *f, ...) {
    va_list a;
    va_start(a, f);
    *va_arg(a, int *) = s[0] - '0' + 2;
    va_end(a);
    return 1;
}
int getopt(int argc, char *const *argv, const char *o) { static int left = 3; return left-- > 0 ? 'a' : -1; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), size, rank, sum = 0, k = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = rank; i < n; i += size) {
        t++;
    }
    MPI_Allreduce(&n, &sum, 1, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; i < sum; i++) {
        t++;
    }
    for (int i = 0; i < MPI_Send(&n, 1, 0, 0, 0, MPI_COMM_WORLD); i++) {
        t++;
    }
    for (int i = 0; i < omp_get_max_threads() + omp_get_num_threads(); i++) {
        t++;
    }
    sscanf(argv[2], "%d", &k);
    for (int i = 0; i < k; i++) {
        t++;
    }
    while (getopt(argc, argv, "a") != -1) {
        t++;
    }
    printf("%d\n", t + m);
    return 0;
}
