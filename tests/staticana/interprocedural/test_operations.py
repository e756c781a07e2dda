# ruff: noqa: E501  (lines of C in texts)
"""Operations per function against what a person counts in the source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from staticana import Analysis, Count, analyze, canonical, compile_sources

MPICH = """
typedef int MPI_Datatype; typedef int MPI_Comm; typedef int MPI_Op; typedef int MPI_Request;
#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x8c000001)
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_IN_PLACE (void *)-1
"""
OPEN_MPI = """
typedef struct ompi_datatype_t *MPI_Datatype; typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_op_t *MPI_Op; typedef struct ompi_request_t *MPI_Request;
extern struct ompi_predefined_datatype_t { long a; } ompi_mpi_double, ompi_mpi_int, ompi_mpi_double_int;
extern struct ompi_predefined_communicator_t { long a; } ompi_mpi_comm_world;
extern struct ompi_predefined_op_t { long a; } ompi_mpi_op_sum;
#define MPI_DOUBLE ((MPI_Datatype)(void *)&ompi_mpi_double)
#define MPI_INT ((MPI_Datatype)(void *)&ompi_mpi_int)
#define MPI_DOUBLE_INT ((MPI_Datatype)(void *)&ompi_mpi_double_int)
#define MPI_COMM_WORLD ((MPI_Comm)(void *)&ompi_mpi_comm_world)
#define MPI_SUM ((MPI_Op)(void *)&ompi_mpi_op_sum)
#define MPI_IN_PLACE (void *)1
"""
CALLS = """
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, void *);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Barrier(MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Alltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, MPI_Comm);
int MPI_Start(MPI_Request *);
int atoi(const char *);
"""


def analysis(source: str, folder: Path, entry: str) -> Analysis:
    path = folder / "program.c"
    path.write_text(source)
    return analyze(canonical(compile_sources([path])), entry=entry)


def operations(source: str, folder: Path, entry: str = "f") -> Mapping[str, Count]:
    return next(f for f in analysis(source, folder, entry).functions if f.name == entry).operations


def at(count: Count, **values: int) -> object:
    assert count.kind == "exact", (count.kind, count.reason)
    return count.evaluate(values)


def test_matrix_product(tmp_path: Path) -> None:
    found = operations(
        """void f(int n, int m, int k, const double *a, const double *b, double *c) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double sum = 0;
                for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
                c[i * m + j] = sum;
            }
    }""",
        tmp_path,
    )
    for n, m, k in ((3, 5, 7), (1, 1, 1), (4, 0, 9), (2, 3, 0)):
        values = {"n": n, "m": m, "k": k}
        assert at(found["flops"], **values) == 2 * n * m * k
        assert at(found["loads"], **values) == 2 * n * m * k
        assert at(found["load_bytes"], **values) == 16 * n * m * k
        assert at(found["stores"], **values) == n * m
        assert at(found["store_bytes"], **values) == 8 * n * m
        # i*k, + l, l*m, + j, l < k, l++; then i*m, + j, j < m, j++ and the test that ends the loop;
        # likewise outside
        assert at(found["int_operations"], **values) == 6 * n * m * k + 5 * n * m + 3 * n + 1
        assert at(found["branches"], **values) == n * m * k + 2 * n * m + 2 * n + 1
        assert (
            at(found["calls"], **values)
            == at(found["divisions"], **values)
            == at(found["mpi_bytes"], **values)
            == 0
        )


@pytest.mark.parametrize(
    ("body", "flops", "divisions", "roots", "calls"),
    [
        ("s = s + a[i];", 1, 0, 0, 0),
        ("s = -s / a[i];", 2, 1, 0, 0),
        ("s = fma(a[i], s, s);", 2, 0, 0, 0),
        ("s = fmaf(a[i], s, s);", 2, 0, 0, 0),
        ("s = sqrt(a[i]);", 1, 0, 1, 0),
        ("s = sqrtf(a[i]) + sqrt(s);", 3, 0, 2, 0),
        ("s = fmax(s, fabs(a[i]));", 2, 0, 0, 0),
        ("s = sqrt_table(a[i]);", 0, 0, 0, 1),
        ("s = exp(a[i]);", 0, 0, 0, 1),
        ("v = v * w + w;", 8, 0, 0, 0),
        ("v = v / w;", 4, 4, 0, 0),
        ("v = __builtin_elementwise_max(v, w);", 4, 0, 0, 0),
        ("s += v[0] > 0;", 1, 0, 0, 0),
    ],
)
def test_floating_point(
    body: str, flops: int, divisions: int, roots: int, calls: int, tmp_path: Path
) -> None:
    found = operations(
        f"""#include <math.h>
    typedef double four __attribute__((vector_size(32)));
    double sqrt_table(double);
    double f(int n, const double *a, four v, four w) {{
        double s = 1;
        for (int i = 0; i < n; i++) {{ {body} }}
        return s + v[0];
    }}""",
        tmp_path,
    )
    counted = [at(found[kind], n=10) for kind in ("flops", "divisions", "square_roots", "calls")]
    assert counted == [10 * flops + 1, 10 * divisions, 10 * roots, 10 * calls]


def test_contraction_counts_two(tmp_path: Path) -> None:
    """a*b + c on one line becomes llvm.fmuladd."""
    found = operations(
        "double f(int n, double a, double b, double c) { for (int i = 0; i < n; i++) c = a * b + c;"
        " return c; }",
        tmp_path,
    )
    assert at(found["flops"], n=6) == 12


def test_copies_move_bytes(tmp_path: Path) -> None:
    found = operations(
        """#include <string.h>
    struct big { double x[20]; };
    void f(unsigned n, char *to, const char *from, struct big *s) {
        for (unsigned i = 0; i < n; i++) { memcpy(to, from, i); memset(to, 0, 3); }
        s[1] = s[0];
    }""",
        tmp_path,
    )
    assert at(found["load_bytes"], n=5) == 0 + 1 + 2 + 3 + 4 + 160
    assert at(found["store_bytes"], n=5) == 0 + 1 + 2 + 3 + 4 + 5 * 3 + 160
    assert at(found["loads"], n=5) == 0


@pytest.mark.parametrize("header", [MPICH, OPEN_MPI], ids=["mpich", "openmpi"])
@pytest.mark.parametrize(
    ("body", "messages", "nbytes", "receives", "received"),
    [
        ("MPI_Send(b, n, MPI_DOUBLE, 1, 0, W);", 1, 80, 0, 0),
        (
            (
                "MPI_Isend(b, 3, MPI_INT, 1, 0, W, r); MPI_Irecv(b, n * n, MPI_DOUBLE_INT, 1, 0,"
                " W, r);"
            ),
            1,
            12,
            1,
            1200,
        ),
        ("for (int i = 0; i < n; i++) MPI_Send(b, i, MPI_DOUBLE, i, 0, W);", 10, 45 * 8, 0, 0),
        ("MPI_Sendrecv(b, n, MPI_INT, 1, 0, b, n + 1, MPI_DOUBLE, 1, 0, W, 0);", 1, 40, 1, 88),
        ("MPI_Barrier(W); MPI_Bcast(b, n, MPI_INT, 0, W);", 2, 40, 0, 0),
        (
            (
                "MPI_Allreduce(b, b, 2, MPI_DOUBLE, MPI_SUM, W); MPI_Iallreduce(b, b, n,"
                " MPI_DOUBLE, MPI_SUM, W, r);"
            ),
            2,
            96,
            0,
            0,
        ),
        ("MPI_Allgather(b, n, MPI_INT, b, n, MPI_INT, W);", 1, 40, 0, 0),
        ("MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, b, n, MPI_INT, W);", 1, 40, 0, 0),
        ("helper(n); helper(2);", 2, 40 + 8, 0, 0),
    ],
)
def test_messages(
    header: str, body: str, messages: int, nbytes: int, receives: int, received: int, tmp_path: Path
) -> None:
    found = operations(
        f"""{header}{CALLS}
    static double b[1000]; static MPI_Request r[1];
    #define W MPI_COMM_WORLD
    static void helper(int k) {{ MPI_Send(b, k, MPI_INT, 0, 0, W); }}
    void f(int n) {{ {body} helper(0); }}""",
        tmp_path,
    )
    kinds = ("mpi_messages", "mpi_bytes", "mpi_receives", "mpi_receive_bytes")
    assert [at(found[k], n=10) for k in kinds] == [messages + 1, nbytes, receives, received]


@pytest.mark.parametrize("header", [MPICH, OPEN_MPI], ids=["mpich", "openmpi"])
def test_exchange_of_all_with_all_goes_to_every_process(header: str, tmp_path: Path) -> None:
    found = operations(
        f"""{header}{CALLS}
    static double b[1000];
    int main(int argc, char **argv) {{
        int p, n = atoi(argv[1]);
        MPI_Comm_size(MPI_COMM_WORLD, &p);
        for (int i = 0; i < n / p; i++) MPI_Alltoall(b, n, MPI_DOUBLE, b, n, MPI_DOUBLE, MPI_COMM_WORLD);
        return 0;
    }}""",
        tmp_path,
        "main",
    )
    assert at(found["mpi_bytes"], n=12, p=4) == 3 * 12 * 8 * 4


def test_what_only_a_run_can_tell_is_named(tmp_path: Path) -> None:
    found = operations(
        f"""{MPICH}{CALLS}
    static double b[1000];
    void f(int n, MPI_Datatype t, const int *counts) {{
        for (int i = 0; i < n; i++) MPI_Send(b, 5, t, 0, 0, MPI_COMM_WORLD);
        MPI_Alltoallv(b, counts, counts, MPI_INT, b, counts, counts, MPI_INT, MPI_COMM_WORLD);
    }}""",
        tmp_path,
    )
    assert at(found["mpi_messages"], n=7) == 8
    count = found["mpi_bytes"]
    assert count.kind == "parametric"
    symbols = {o.meaning.split(" that ")[1]: o.symbol for o in count.opaque}
    size, rest = symbols["MPI_Send is given"], symbols["MPI_Alltoallv passes on"]
    assert count.evaluate({"n": 7, size: 24, rest: 1000}) == 7 * 5 * 24 + 1000


def test_persistent_requests_are_unknown(tmp_path: Path) -> None:
    found = operations(f"{MPICH}{CALLS} void f(MPI_Request *r) {{ MPI_Start(r); }}", tmp_path)
    assert found["mpi_bytes"].kind == "unknown"
    assert "MPI_Start at " in str(found["mpi_bytes"].reason)


def test_a_product_that_is_subtracted_is_two_operations(tmp_path: Path) -> None:
    path = tmp_path / "update.c"
    path.write_text("""void update(int n, double *a, const double *b, double c) {
    for (int i = 0; i < n; i++) {
        a[i] -= b[i] * c;
    }
}
""")
    (function,) = analyze(canonical(compile_sources([path])), entry="update").functions
    flops = function.operations["flops"].formula
    assert flops is not None
    assert flops.evaluate({"n": 10}) == 20
