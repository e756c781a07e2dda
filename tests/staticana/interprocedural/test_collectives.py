"""What collective calls leave in a buffer is the number that the processes bring together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from staticana import Count, analyze, canonical, compile_sources

HEADER = """
#include <stdlib.h>
#include <stdio.h>
typedef int MPI_Comm, MPI_Datatype, MPI_Op;
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_BYTE ((MPI_Datatype)0x4c00010d)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_LONG ((MPI_Datatype)0x4c000807)
#define MPI_MAX ((MPI_Op)0x58000001)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_PROD ((MPI_Op)0x58000004)
#define MPI_IN_PLACE (void *)-1
int MPI_Init(int *, char ***);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
volatile int s;
static void loop(long k) { for (long i = 0; i < k; i++) s += i; }
"""
MAIN = """
int main(int argc, char **argv) {
  int p, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  BODY
  return 0;
}
"""
READ = "int n = 0; if (rank == 0) n = atoi(argv[1]);"
Iterations = Callable[[int, int, int], int]
"""(n, p, rank) -> iterations."""


def _total(tmp_path: Path, body: str, before: str = "") -> Count:
    source = tmp_path / "shared.c"
    source.write_text(HEADER + before + MAIN.replace("BODY", body))
    text = canonical(compile_sources([source]))
    found = analyze(text, parameters={"n": "argv[1]"}, ranks=True)
    (total,) = [x.total for x in found.loops if x.function == "loop"]
    return total


def _places() -> Iterator[tuple[int, int, int]]:
    for n in (1, 7, 30):
        for p in (3, 4, 5):
            for rank in range(p):
                yield n, p, rank


@pytest.mark.parametrize(
    ("body", "iterations"),
    [
        (f"{READ} MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); loop(n);", lambda n, p, r: n),
        (
            f"{READ} MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); loop(n / p + (rank < n % p));",
            lambda n, p, r: n // p + (r < n % p),
        ),
        (
            "int n; if (rank == 0) n = atoi(argv[1]); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);"
            " loop(n);",
            lambda n, p, r: n,
        ),
        (
            "struct { int n, m; } c; if (!rank) { c.n = atoi(argv[1]); c.m = 4; }"
            "MPI_Bcast(&c.n, 1, MPI_INT, 0, MPI_COMM_WORLD);"
            "MPI_Bcast(&c.m, 1, MPI_INT, 0, MPI_COMM_WORLD); loop(c.n * c.m);",
            lambda n, p, r: 4 * n,
        ),
        (
            "int n = rank + 5; MPI_Bcast(&n, 1, MPI_INT, 2, MPI_COMM_WORLD); loop(n + rank);",
            lambda n, p, r: 7 + r,
        ),
        (
            "long a[3] = {0}; if (!rank) { a[1] = atoi(argv[1]); a[2] = 3; }"
            "MPI_Bcast(a, 3, MPI_LONG, 0, MPI_COMM_WORLD); loop(a[1] * a[2]);",
            lambda n, p, r: 3 * n,
        ),
        (
            "struct { int n; double d; long m; } c = {0};"
            "if (!rank) { c.n = 2; c.m = atoi(argv[1]); }"
            "MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, MPI_COMM_WORLD); loop(c.n + c.m);",
            lambda n, p, r: 2 + n,
        ),
        (
            "long own = atoi(argv[1]), most;"
            "MPI_Allreduce(&own, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD); loop(most);",
            lambda n, p, r: n,
        ),
        (
            "long own = atoi(argv[1]), all;"
            "MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); loop(all);",
            lambda n, p, r: n * p,
        ),
        (
            "long own = atoi(argv[1]) + 2 * rank;"
            "MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); loop(own);",
            lambda n, p, r: n * p + p * (p - 1),
        ),
    ],
)
def test_a_number_that_the_processes_agree_on_is_a_formula(
    tmp_path: Path, body: str, iterations: Iterations
) -> None:
    total = _total(tmp_path, body)
    assert total.kind == "exact"
    assert total.opaque == ()
    for n, p, rank in _places():
        values = {"n": n, "p": p, "rank": rank}
        assert total.evaluate(values) == iterations(n, p, rank)
        assert total.holds(values)


CHECKED = """
  int n, k, error = 0;
  if (rank == 0) {
    if (argc != 3) { error = 1; goto END; }
    k = atoi(*++argv);
    if (k < 1) { error = 1; goto END; }
    n = atoi(*++argv);
    if (n < 0) error = 1;
    END:;
  }
  CHECK
  MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  loop(n * k);
"""


@pytest.mark.parametrize("check", ["", "end_where_any_failed(error);"])
def test_words_that_the_root_takes_in_turn_and_checks_are_parameters(
    tmp_path: Path, check: str
) -> None:
    """`*++argv` where MPI_Init is handed the address of argv; a failed check goes around the words
    behind it, and what is then sent no one has set."""
    failed = """
    static __attribute__((noinline)) void end_where_any_failed(int error) {
      int any;
      MPI_Allreduce(&error, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      if (any) exit(1);
    }
    """
    source = tmp_path / "words.c"
    body = MAIN.replace("BODY", CHECKED.replace("CHECK", check))
    source.write_text(HEADER + failed + body)
    found = analyze(canonical(compile_sources([source])), ranks=True)
    assert {p.name: p.origin for p in found.parameters if p.name in "kn"} == {
        "k": "argv[1]",
        "n": "argv[2]",
    }
    (total,) = [x.total for x in found.loops if x.function == "loop"]
    assert (total.kind, total.opaque) == ("exact", ())
    for k, n in ((1, 5), (3, 4), (2, 0)):
        values = {"k": k, "n": n, "p": 2, "rank": 1}
        assert total.holds(values)
        assert total.evaluate(values) == k * n
    assert not total.holds({"k": 0, "n": 5, "p": 2, "rank": 1})


@pytest.mark.parametrize(
    "body",
    [
        # set elsewhere before, which other calls than MPI_Init are handed
        "argv += atoi(argv[2]); int n = 0; if (!rank) n = atoi(*++argv);",
        "char **at = argv; change(&argv); int n = 0; if (!rank) n = atoi(*++argv);",
        "int n; if (!rank && getchar() > 7) n = atoi(*++argv);",
    ],
)
def test_words_at_places_that_are_not_known_are_no_parameters(tmp_path: Path, body: str) -> None:
    shared = f"{body} MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); loop(n);"
    total = _total(tmp_path, shared, "void change(char ***);")
    assert total.kind != "exact"


def test_that_processes_have_one_command_line_is_an_assumption(tmp_path: Path) -> None:
    total = _total(tmp_path, f"{READ} MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); loop(n);")
    assert "all processes have one command line" in total.assumptions


def test_a_function_that_broadcasts_leaves_the_number_of_the_root(tmp_path: Path) -> None:
    share = """
    static __attribute__((noinline)) void share(int rank, char **argv, int *to) {
      if (rank == 0) *to = atoi(argv[1]);
      MPI_Bcast(to, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    """
    total = _total(tmp_path, "int n = 0; share(rank, argv, &n); loop(n);", share)
    assert total.formula is not None
    assert {total.evaluate({"n": n, "p": p, "rank": r}) - n for n, p, r in _places()} == {0}


@pytest.mark.parametrize(
    "body",
    [
        # others than the root have set it, or the call writes both numbers
        "int n; if (rank == 1) n = atoi(argv[1]); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);"
        " loop(n);",
        'int a[2]; if (!rank) a[0] = atoi(argv[1]), a[1] = scanf("");'
        "MPI_Bcast(a, 2, MPI_INT, 0, MPI_COMM_WORLD); loop(a[0] + a[1]);",
        f"{READ} MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &c);"
        "MPI_Bcast(&n, 1, MPI_INT, 0, c); loop(n);",
        f'{READ} int c; scanf("%d", &c); MPI_Bcast(&n, c, MPI_INT, 0, MPI_COMM_WORLD); loop(n);',
        'int n = 0; if (rank == 0) scanf("%d", &n);'
        "MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); loop(n);",
        "int n = atoi(argv[1]) % (rank + 1), most;"
        "MPI_Allreduce(&n, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); loop(most);",
        "int n = atoi(argv[1]), all;"
        "MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD); loop(all);",
        # the root makes its call at another place, with another number
        "int n = 0; if (rank == 0) { n = atoi(argv[1]); MPI_Bcast(&n, 1, MPI_INT, 0,"
        " MPI_COMM_WORLD); } else MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); loop(n);",
        "int n = 1, all; if (rank == 0) { n = 9; MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_MAX,"
        " MPI_COMM_WORLD); } else MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);"
        " loop(all);",
        "long a[2] = {0}; if (!rank) a[1] = atoi(argv[1]);"
        "MPI_Bcast(a, 1, MPI_LONG, 0, MPI_COMM_WORLD); MPI_Bcast(a, rank, MPI_LONG, 0,"
        " MPI_COMM_WORLD); loop(a[1]);",
    ],
)
def test_what_the_parameters_do_not_decide_is_not_exact(tmp_path: Path, body: str) -> None:
    assert _total(tmp_path, body).kind != "exact"


def test_a_function_that_only_some_processes_call_tells_nothing_of_the_root(tmp_path: Path) -> None:
    ask = """
    static __attribute__((noinline)) int asked(void) {
      int k = 0;
      MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD);
      return k;
    }
    """
    body = """
    int n;
    if (rank == 0) { n = atoi(argv[1]); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); }
    else n = asked();
    loop(n);
    """
    assert _total(tmp_path, body, ask).kind != "exact"
