"""Laws of ranks rest on the communicators that a program makes."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from staticana import Analysis, analyze, canonical, compile_sources
from staticana.frontend.fortran import find_flang

DECLARED = """
#include <stdlib.h>
typedef int MPI_Comm;
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_UNDEFINED (-32766)
#define MPI_PROC_NULL (-1)
#define MPI_INT 0x4c000405
int MPI_Init(int *, char ***);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Bcast(void *, int, int, int, MPI_Comm);
int MPI_Dims_create(int, int, int *);
int MPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Cart_coords(MPI_Comm, int, int, int *);
int MPI_Cart_get(MPI_Comm, int, int *, int *, int *);
int MPI_Cart_rank(MPI_Comm, const int *, int *);
int MPI_Cart_shift(MPI_Comm, int, int, int *, int *);
int MPI_Cart_sub(MPI_Comm, const int *, MPI_Comm *);
"""
MAIN = """
volatile int s;
int main(int argc, char **argv) {
  int p, rank, n = atoi(argv[1]), px = atoi(argv[2]), py = atoi(argv[3]), me, size, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part, grid;
  int dims[2] = {px, py}, periods[2] = {0, 1}, at[2];
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
"""
HEADER = DECLARED + MAIN
ASK = "MPI_Comm_size(part, &size); MPI_Comm_rank(part, &me);"
Iterations = Callable[[int, int, int, int], int]
"""(n, rank, px, py) -> iterations."""
CASES: list[tuple[str, str, Iterations]] = [
    (
        f"MPI_Comm_split(MPI_COMM_WORLD, rank / py, rank % py, &part); {ASK}",
        "10 * size + me",
        lambda n, r, px, py: 10 * py + r % py,
    ),
    (
        f"MPI_Comm_split(MPI_COMM_WORLD, rank % py, rank, &part); {ASK}",
        "10 * size + me",
        lambda n, r, px, py: 10 * px + r // py,
    ),
    (
        f"MPI_Comm_split(MPI_COMM_WORLD, rank % 3, 0, &part); {ASK}",
        "10 * size + me",
        lambda n, r, px, py: 10 * len(range(r % 3, px * py, 3)) + r // 3,
    ),
    (
        f"MPI_Comm_split(MPI_COMM_WORLD, rank < 3, 0, &part); {ASK}",
        "10 * size + me",
        lambda n, r, px, py: 10 * min(3, px * py) + r if r < 3 else 10 * (px * py - 3) + r - 3,
    ),
    (
        f"int keep[2] = {{0, 1}}; MPI_Cart_sub(grid, keep, &part); {ASK}",
        "10 * size + me",
        lambda n, r, px, py: 10 * py + r % py,
    ),
    (
        "MPI_Cart_coords(grid, rank, 2, at);",
        "at[0] + n * at[1]",
        lambda n, r, px, py: r // py + n * (r % py),
    ),
    (
        "int e[2], q[2]; MPI_Cart_get(grid, 2, e, q, at);",
        "e[1] + n * at[1]",
        lambda n, r, px, py: py + n * (r % py),
    ),
    (
        "int up, down; MPI_Cart_shift(grid, 0, 1, &up, &down);",
        "(up != MPI_PROC_NULL) * n + (down < 0)",
        lambda n, r, px, py: (r // py > 0) * n + (r // py == px - 1),
    ),
    (
        "int left, right; MPI_Cart_shift(grid, 1, 1, &left, &right);",
        "left + n * right",
        lambda n, r, px, py: r - r % py + (r - 1) % py + n * (r - r % py + (r + 1) % py),
    ),
    (
        "at[0] = 0; at[1] = -1; MPI_Cart_rank(grid, at, &k);",
        "k + n",
        lambda n, r, px, py: py - 1 + n,
    ),
    (
        "MPI_Comm_dup(grid, &part); k = rank ? 0 : n; MPI_Bcast(&k, 1, MPI_INT, 0, part);",
        "k",
        lambda n, r, px, py: n,
    ),
    (
        "int d[2] = {0, py}; MPI_Dims_create(p, 2, d);",
        "d[0] + n * d[1]",
        lambda n, r, px, py: px + n * py,
    ),
]


def _analysis(path: Path, source: str) -> Analysis:
    path.write_text(source)
    return analyze(canonical(compile_sources([path])), ranks=True)


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    loops = "\n".join(
        f"{{ {before} for (int i = 0; i < {end}; i++) s += i; }}" for before, end, _ in CASES
    )
    path = tmp_path_factory.mktemp("grid") / "grid.c"
    return _analysis(path, f"{HEADER}{loops}\nreturn 0; }}")


@pytest.mark.parametrize("case", range(len(CASES)))
def test_a_rank_in_a_communicator_is_a_formula(analysis: Analysis, case: int) -> None:
    total = analysis.loops[case].total
    assert total.kind == "exact"
    for px, py in ((1, 1), (2, 3), (4, 1), (1, 5), (3, 3)):
        for rank in range(px * py):
            values = {"n": 7, "px": px, "py": py, "p": px * py, "rank": rank}
            assert total.holds(values)
            assert total.evaluate(values) == CASES[case][2](7, rank, px, py), values


def test_a_grid_of_fewer_processes_is_not_what_the_law_is_for(analysis: Analysis) -> None:
    at = next(k for k, case in enumerate(CASES) if "Cart_coords" in case[0])
    values = {"n": 7, "px": 2, "py": 2, "p": 5, "rank": 1}
    assert not analysis.loops[at].total.holds(values)


@pytest.mark.parametrize(
    "body",
    [
        # the others have another colour where they make their call, or the key orders anew
        f"if (rank) MPI_Comm_split(MPI_COMM_WORLD, 1, 0, &part);"
        f" else MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part); {ASK}",
        f"MPI_Comm_split(MPI_COMM_WORLD, rank / py, -rank, &part); {ASK}",
        f"MPI_Comm_split(MPI_COMM_WORLD, rank * rank % py, 0, &part); {ASK}",
        f"MPI_Comm_split(MPI_COMM_WORLD, argv[2][0], 0, &part); {ASK}",
    ],
)
def test_what_is_not_told_of_a_part_has_a_name(tmp_path: Path, body: str) -> None:
    loop = "for (int i = 0; i < 10 * size + me; i++) s += i; return 0; }"
    (found,) = _analysis(tmp_path / "part.c", HEADER + body + loop).loops
    assert found.total.kind == "parametric"


def test_extents_that_the_library_chooses_have_names(tmp_path: Path) -> None:
    body = """
    int d[2] = {0, 0};
    MPI_Dims_create(p, 2, d);
    MPI_Cart_create(MPI_COMM_WORLD, 2, d, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    for (int i = 0; i < n * at[1] + d[0]; i++) s += i;
    return 0; }
    """
    (found,) = _analysis(tmp_path / "chosen.c", HEADER + body).loops
    assert {o.symbol for o in found.total.opaque} == {"dims_0", "dims_1"}
    values = {"n": 5, "p": 6, "rank": 4, "dims_0": 3, "dims_1": 2}
    assert found.total.evaluate(values) == 3
    assert found.total.evaluate({**values, "rank": 5}) == 8


Told = Callable[[int, int, int], int | None]
"""(n, rank, p) -> a color or a key; None: MPI_UNDEFINED."""
SPLITS: list[tuple[str, str, Told, Told, bool]] = [
    # color, key, the same, and whether it is told
    ("rank >= 1", "-rank", lambda n, r, p: r >= 1, lambda n, r, p: -r, False),
    ("rank < 2", "p - rank", lambda n, r, p: r < 2, lambda n, r, p: -r, False),
    ("rank < 2", "rank < 2", lambda n, r, p: r < 2, lambda n, r, p: r < 2, True),
    ("0", "rank < 2", lambda n, r, p: 0, lambda n, r, p: r < 2, False),
    ("0", "rank >= 2", lambda n, r, p: 0, lambda n, r, p: r >= 2, True),
    ("0", "rank < 3 ? rank : 0", lambda n, r, p: 0, lambda n, r, p: r * (r < 3), False),
    ("n ? rank / 2 : 0", "rank", lambda n, r, p: r // 2 if n else 0, lambda n, r, p: r, True),
    ("n > 5 ? rank / 2 : 0", "0", lambda n, r, p: r // 2 * (n > 5), lambda n, r, p: 0, True),
    ("n * (rank % 2)", "0", lambda n, r, p: n * (r % 2), lambda n, r, p: 0, True),
    ("n * (rank >= 2)", "0", lambda n, r, p: n * (r >= 2), lambda n, r, p: 0, True),
    ("n * (rank < 2)", "rank < 2", lambda n, r, p: n * (r < 2), lambda n, r, p: r < 2, False),
    (
        "(unsigned char)n * (rank / 2)",
        "n",
        lambda n, r, p: n % 256 * (r // 2),
        lambda n, r, p: n,
        False,
    ),
    ("rank / (rank + 1)", "0", lambda n, r, p: 0, lambda n, r, p: 0, False),
    (
        "rank < 3 ? 1 : MPI_UNDEFINED",
        "0",
        lambda n, r, p: 1 if r < 3 else None,
        lambda n, r, p: 0,
        True,
    ),
    (
        "n > 3 ? rank % 2 : MPI_UNDEFINED",
        "0",
        lambda n, r, p: r % 2 if n > 3 else None,
        lambda n, r, p: 0,
        True,
    ),
]
LOOP = "for (int i = 0; i < k; i++) s += i;"


def _splits(then: str) -> str:
    """The program's part that makes all splits; CASE stands for the number of each."""
    return "\n".join(
        f"MPI_Comm_split(MPI_COMM_WORLD, {color}, {key}, &part); k = 3; if (part != MPI_COMM_NULL)"
        f" {{ {ASK} k = 10 * size + me; }} {then.replace('CASE', str(at))}"
        for at, (color, key, *_) in enumerate(SPLITS)
    )


def _in_part(case: int, n: int, rank: int, p: int) -> int:
    """What the loop behind a split does, by the definition of MPI_Comm_split."""
    color, key = SPLITS[case][2:4]
    if color(n, rank, p) is None:
        return 3
    members = [r for r in range(p) if color(n, r, p) == color(n, rank, p)]
    return 10 * len(members) + sorted(members, key=lambda r: (key(n, r, p), r)).index(rank)


def _runs() -> Iterator[tuple[int, int]]:
    """Values of n and p."""
    return ((n, p) for n in (0, 1, 7, 256) for p in (1, 2, 3, 4))


@pytest.fixture(scope="module")
def splits(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    path = tmp_path_factory.mktemp("splits") / "splits.c"
    return _analysis(path, f"{HEADER}{_splits(LOOP)}\nreturn 0; }}")


@pytest.mark.parametrize("case", range(len(SPLITS)))
def test_a_part_is_what_colors_and_keys_make_of_it(splits: Analysis, case: int) -> None:
    total = splits.loops[case].total
    assert (total.kind == "exact") == SPLITS[case][4]
    assert not any("communicator" in o.meaning for o in total.opaque)
    if total.kind != "exact":
        return
    if re.search(r"\bn\b", SPLITS[case][0]):
        assert "all processes have one command line" in total.assumptions
    held = 0
    for n, p in _runs():
        for rank in range(p):
            values = {"n": n, "p": p, "rank": rank}
            if total.holds(values):
                held += 1
                assert total.evaluate(values) == _in_part(case, n, rank, p), values
    assert held >= 30


def test_runs_split_as_they_are_foreseen_to(tmp_path: Path) -> None:
    if shutil.which("mpicc") is None or shutil.which("mpiexec") is None:
        pytest.skip("no mpicc and mpiexec here: apt install mpich libmpich-dev")
    source, program = tmp_path / "splits.c", tmp_path / "splits"
    includes = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    said = r'printf("%d %d %d\n", rank, CASE, k);'
    body = f"{_splits(said)} MPI_Finalize(); return 0; }}"
    source.write_text(includes + MAIN + body)
    subprocess.run(["mpicc", "-w", "-o", program, source], check=True)
    for n, p in ((0, 4), (7, 3), (256, 4), (1, 2), (7, 1)):
        run = subprocess.run(
            ["mpiexec", "-n", str(p), program, str(n), "1", str(p)],
            check=True,
            capture_output=True,
            text=True,
        )
        found = sorted([int(word) for word in line.split()] for line in run.stdout.splitlines())
        cases = range(len(SPLITS))
        assert found == [[r, k, _in_part(k, n, r, p)] for r in range(p) for k in cases]


@pytest.mark.parametrize(
    ("body", "iterations"),
    [
        # a communicator that a program makes is none that it is given
        ("MPI_Comm_dup(MPI_COMM_WORLD, &part); if (part != MPI_COMM_WORLD)", lambda n, r: n),
        ("MPI_Comm_dup(MPI_COMM_WORLD, &part); if (part != MPI_COMM_NULL)", lambda n, r: n),
        # of a grid of fewer processes the last ones have none
        (
            "int d[2] = {1, 2}; MPI_Cart_create(MPI_COMM_WORLD, 2, d, periods, 0, &part);"
            "if (part == MPI_COMM_NULL)",
            lambda n, r: n * (r >= 2),
        ),
    ],
)
def test_handles_are_compared(
    tmp_path: Path, body: str, iterations: Callable[[int, int], int]
) -> None:
    loop = "for (int i = 0; i < n; i++) s += i; return 0; }"
    (found,) = _analysis(tmp_path / "handles.c", HEADER + body + loop).loops
    assert found.total.opaque == ()
    for n in (0, 5):
        for rank in range(4):
            assert found.total.evaluate({"n": n, "p": 4, "rank": rank}) == iterations(n, rank)


def test_a_part_rests_on_what_its_color_rests_on(tmp_path: Path) -> None:
    body = f"MPI_Comm_split(MPI_COMM_WORLD, (unsigned char)n * (rank / 2), 0, &part); {ASK}"
    loop = "for (int i = 0; i < 10 * size + me; i++) s += i; return 0; }"
    (found,) = _analysis(tmp_path / "narrow.c", HEADER + body + loop).loops
    values = {"p": 4, "rank": 3}
    assert found.total.evaluate({**values, "n": 0}) == 43
    assert found.total.evaluate({**values, "n": 255}) == 21
    assert not found.total.holds({**values, "n": 256})


def test_a_call_that_makes_two_communicators_tells_of_neither_what_the_other_is(
    tmp_path: Path,
) -> None:
    function = """
    static __attribute__((noinline)) MPI_Comm every(int rank, int k) {
      MPI_Comm part;
      MPI_Comm_split(MPI_COMM_WORLD, rank / k, 0, &part);
      return part;
    }
    """
    body = """
    MPI_Comm other = every(rank, 3);
    part = every(rank, 2);
    MPI_Comm_size(part, &size); MPI_Comm_size(other, &me);
    for (int i = 0; i < size + 10 * me; i++) s += i;
    return 0; }
    """
    (found,) = _analysis(tmp_path / "two.c", DECLARED + function + MAIN + body).loops
    if found.total.kind == "exact":
        assert found.total.evaluate({"p": 4, "rank": 3}) == 12
        assert found.total.evaluate({"p": 4, "rank": 0}) == 32


FORTRAN = """
program grid
  implicit none
  integer, parameter :: world = 1140850688
  integer :: n, px, py, i, p, rank, e, cart
  integer :: dims(2), at(2)
  logical :: periods(2)
  real(8) :: s
  character(32) :: word
  call mpi_init(e)
  call mpi_comm_size(world, p, e)
  call mpi_comm_rank(world, rank, e)
  call get_command_argument(1, word)
  read (word, *) n
  call get_command_argument(2, word)
  read (word, *) px
  call get_command_argument(3, word)
  read (word, *) py
  dims = (/ px, py /)
  periods = .false.
  call mpi_cart_create(world, 2, dims, periods, .false., cart, e)
  call mpi_cart_coords(cart, rank, 2, at, e)
  if (rank == 0) call title(n)
  do i = at(2), n, dims(2)
    s = s + i
  end do
  call title(n)
  print *, s
end program
subroutine title(n)
  integer :: n
  character(15) :: text
  write (text, '(i5)') n
  write (*, *) text
end subroutine
"""


def test_arrays_of_fortran_are_known_where_they_are_assigned_whole(tmp_path: Path) -> None:
    """And what a procedure writes into a text of its own changes nothing else."""
    if find_flang() is None:
        pytest.skip("no flang here: apt install flang-19")
    (found,) = _analysis(tmp_path / "grid.f90", FORTRAN).loops
    for px, py in ((1, 1), (2, 3), (1, 5)):
        for rank in range(px * py):
            values: Mapping[str, int] = {"n": 11, "px": px, "py": py, "p": px * py, "rank": rank}
            assert found.total.evaluate(values) == len(range(rank % py, 12, py))
