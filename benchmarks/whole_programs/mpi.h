/* MPI as one process has it: what programs need that always call it. */
#pragma once
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
enum { MPI_COMM_WORLD = 1, MPI_SUM = 0, MPI_MAX, MPI_MIN, MPI_SUCCESS = 0 };
/* a type is the bytes of a value */
enum { MPI_INT = 4, MPI_FLOAT = 4, MPI_DOUBLE = 8 };
#define MPI_STATUS_IGNORE ((MPI_Status *)0)

static inline int MPI_Init(int *argc, char ***argv) { (void)argc, (void)argv; return 0; }
static inline int MPI_Finalize(void) { return 0; }
static inline int MPI_Comm_rank(MPI_Comm c, int *rank) { (void)c; return *rank = 0; }
static inline int MPI_Comm_size(MPI_Comm c, int *size) { (void)c; *size = 1; return 0; }
static inline int MPI_Comm_free(MPI_Comm *c) { (void)c; return 0; }
static inline int MPI_Barrier(MPI_Comm c) { (void)c; return 0; }
static inline double MPI_Wtime(void) { return (double)clock() / CLOCKS_PER_SEC; }
static inline int MPI_Cart_create(MPI_Comm c, int n, const int *d, const int *p, int r, MPI_Comm *o)
{
    (void)n, (void)d, (void)p, (void)r;
    *o = c;
    return 0;
}
static inline int MPI_Cart_get(MPI_Comm c, int n, int *sizes, int *periods, int *at)
{
    (void)c;
    for (int k = 0; k < n; k++)
        sizes[k] = periods[k] = 1, at[k] = 0;
    return 0;
}
static inline int MPI_Cart_shift(MPI_Comm c, int d, int by, int *from, int *to)
{
    (void)c, (void)d, (void)by;
    *from = *to = 0;
    return 0;
}
static inline int MPI_Bcast(void *at, int n, MPI_Datatype t, int root, MPI_Comm c)
{
    (void)at, (void)n, (void)t, (void)root, (void)c;
    return 0;
}
static inline int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype t, MPI_Op op,
                                MPI_Comm c)
{
    (void)op, (void)c;
    memcpy(out, in, (size_t)n * (size_t)t);
    return 0;
}
static inline int MPI_Sendrecv(const void *in, int n, MPI_Datatype t, int to, int tag, void *out,
                               int m, MPI_Datatype u, int from, int mark, MPI_Comm c, MPI_Status *s)
{
    (void)n, (void)t, (void)to, (void)tag, (void)from, (void)mark, (void)c, (void)s;
    memcpy(out, in, (size_t)m * (size_t)u);
    return 0;
}
