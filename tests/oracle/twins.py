"""Counting twins of the programs beside: the same loops in Python, never a formula.

Each twin returns marker -> iterations. Loops with plain constant steps are ranges, all others are
while loops as in C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from .oracle import Case, Counts, Vector, integers, markers, quotient, remainder

__all__ = ["CASES", "Case", "Counts", "Vector", "markers"]

PROGRAMS = Path(__file__).resolve().parent / "programs"


def _zero(loops: int) -> Counts:
    return {f"L{k}": 0 for k in range(1, loops + 1)}


def _while(start: int, test: Callable[[int], bool], step: Callable[[int], int]) -> int:
    """Bodies started by `for (i = start; test(i); i = step(i))`."""
    count, i = 0, start
    while test(i):
        count += 1
        i = step(i)
    return count


def _size(values: Iterable[int]) -> int:
    return sum(1 for _ in values)


def constant(n: int) -> Counts:
    """Constant bounds."""
    c = _zero(3)
    c["L1"] += _size(range(10))
    for _i in range(n):
        c["L2"] += 1
        c["L3"] += _size(range(3, 10))
    return c


def triangular(n: int) -> Counts:
    """Triangles."""
    c = _zero(6)
    for i in range(n):
        c["L1"] += 1
        c["L2"] += _size(range(i))
    for i in range(n, 0, -1):
        c["L3"] += 1
        c["L4"] += _size(range(i, 0, -1))
    for i in range(n - 1, -1, -1):
        c["L5"] += 1
        c["L6"] += _size(range(i, n))
    return c


def strided(n: int) -> Counts:
    """Constant strides."""
    c = _zero(4)
    c["L1"] += _size(range(0, n, 3))
    c["L2"] += _size(range(2, n, 5))
    for i in range(n):
        c["L3"] += 1
        c["L4"] += _size(range(i, n, 2))
    return c


def geometric(n: int) -> Counts:
    """Steps that multiply."""
    return {
        "L1": _while(1, lambda i: i < n, lambda i: 2 * i),
        "L2": _while(1, lambda i: i < n, lambda i: 3 * i),
        "L3": _while(1, lambda i: i <= n, lambda i: 2 * i),
        "L4": _while(1, lambda i: i < n, lambda i: 2 * i + 1),
    }


def halving(n: int) -> Counts:
    """Steps that divide."""
    return {
        "L1": _while(n, lambda i: i > 0, lambda i: quotient(i, 2)),
        "L2": _while(n, lambda i: i > 0, lambda i: i >> 1),
        "L3": _while(n, lambda i: i > 0, lambda i: quotient(i, 3)),
        "L4": _while(n, lambda i: i > 1, lambda i: quotient(i, 2)),
    }


def parametric_step(n: int, m: int) -> Counts:
    """The step is the outer index."""
    c = _zero(4)
    for j in range(1, n + 1):
        c["L1"] += 1
        c["L2"] += _size(range(j, m, j))
    j = 1
    while j < n:
        c["L3"] += 1
        c["L4"] += _size(range(0, m, j))
        j *= 2
    return c


def decreasing(n: int, m: int) -> Counts:
    """Downwards."""
    c = _zero(4)
    c["L1"] += _size(range(n - 1, -1, -1))
    c["L2"] += _size(range(n, 0, -4))
    c["L3"] += _size(range(n, m, -1))
    left = max(0, n)
    while left > 0:
        left -= 1
        c["L4"] += 1
    return c


def comparisons(n: int, m: int) -> Counts:
    """Every comparison."""
    top = max(0, n)
    return {
        "L1": _while(m, lambda i: i <= n, lambda i: i + 1),
        "L2": _while(n, lambda i: i > m, lambda i: i - 2),
        "L3": _while(n, lambda i: i >= m, lambda i: i - 2),
        "L4": _while(0, lambda i: i != top, lambda i: i + 1),
        "L5": _while(top, lambda i: i != 0, lambda i: i - 1),
        "L6": _while(m, lambda i: n > i, lambda i: i + 1),
    }


def unsigned_index(n: int) -> Counts:
    """Unsigned indices."""
    c = _zero(4)
    top = max(0, n)
    for i in range(top):
        c["L1"] += 1
        c["L2"] += _size(range(i + 1, top))
    i = top
    while i > 0:
        i -= 1
        c["L3"] += 1
    c["L4"] += _while(top, lambda i: i > 0, lambda i: i >> 1)
    return c


def wide_types(n: int) -> Counts:
    """Indices of other widths."""
    return {
        "L1": _size(range(2 * n)),
        "L2": _size(range(max(0, n))),
        "L3": _size(range(min(n, 100))),
        "L4": _size(range(0, 2 * n, 3)),
    }


def min_max(n: int, m: int) -> Counts:
    """Bounds by min and max."""
    c = _zero(6)
    c["L1"] += _size(range(min(n, m)))
    c["L2"] += _size(range(max(n, m)))
    for i in range(n):
        c["L3"] += 1
        c["L4"] += _size(range(i, min(i + m, n)))
    for i in range(n):
        c["L5"] += 1
        c["L6"] += _size(range(i - m if i > m else 0, i))
    return c


def tiled(n: int, t: int) -> Counts:
    """Tiles of t."""
    c = _zero(4)
    if t < 1:
        return c
    for ii in range(0, n, t):
        c["L1"] += 1
        for jj in range(0, n, t):
            c["L2"] += 1
            for _i in range(ii, min(ii + t, n)):
                c["L3"] += 1
                c["L4"] += _size(range(jj, min(jj + t, n)))
    return c


def nested4(n: int) -> Counts:
    """Four deep."""
    c = _zero(4)
    for i in range(n):
        c["L1"] += 1
        for j in range(i):
            c["L2"] += 1
            for k in range(j):
                c["L3"] += 1
                c["L4"] += _size(range(k))
    return c


def call_in_loop(n: int) -> Counts:
    """A function called in a loop."""
    c = _zero(2)
    for i in range(n):
        c["L2"] += 1
        c["L1"] += _size(range(2 * i))
    return c


def two_call_sites(n: int, m: int) -> Counts:
    """One loop, two call sites."""
    c = _zero(2)
    c["L1"] += _size(range(n))
    for _i in range(3):
        c["L2"] += 1
        c["L1"] += _size(range(m - 1))
    return c


def bound_from_function(n: int) -> Counts:
    """Bounds that functions return."""
    c = _zero(3)
    c["L1"] += _size(range(2 * n + 3))
    half = 1
    for _i in range(2, n + 1, 2):
        c["L3"] += 1
        half += 1
    c["L2"] += _size(range(half))
    return c


def rectangle(n: int, m: int) -> Counts:
    """Two plain loops, for several programs."""
    c = _zero(2)
    for _i in range(n):
        c["L1"] += 1
        c["L2"] += _size(range(m))
    return c


def default_arguments(n: int = 12, m: int | None = None) -> Counts:
    """m left out is n."""
    return rectangle(n, n if m is None else m)


def two_files(n: int) -> Counts:
    """A program of two files."""
    c = _zero(2)
    for i in range(1, n + 1):
        c["L1"] += 1
        c["L2"] += _size(range(i))
    return c


def do_while(n: int) -> Counts:
    """The body comes before the test."""
    c = _zero(2)
    i, rest = 0, n
    while True:
        c["L1"] += 1
        i += 1
        if not i < n:
            break
    while True:
        c["L2"] += 1
        rest = quotient(rest, 2)
        if not rest > 0:
            break
    return c


def while_loop(n: int) -> Counts:
    """While loops."""
    c = _zero(3)
    i = 0
    while i < n:
        c["L1"] += 1
        i += 1
    low, high = 0, n
    while low < high:
        c["L2"] += 1
        low += 2
        high -= 1
    area, side = 0, 0
    while area < n:
        c["L3"] += 1
        side += 1
        area += side
    return c


def early_break(n: int, m: int) -> Counts:
    """Left early."""
    c = _zero(4)
    for i in range(n):
        c["L1"] += 1
        if i == m:
            break
    for i in range(n):
        c["L2"] += 1
        for j in range(n):
            c["L3"] += 1
            if j >= i:
                break
    for i in range(n):
        c["L4"] += 1
        if 2 * i >= m:
            break
    return c


def guarded(n: int, m: int) -> Counts:
    """Conditions around loops."""
    c = _zero(4)
    if n > m:
        c["L1"] += _size(range(n))
    else:
        c["L2"] += _size(range(m))
    for i in range(n):
        c["L3"] += 1
        if i < m:
            c["L4"] += _size(range(n))
    return c


def select_inner(n: int, m: int) -> Counts:
    """The index decides which inner loop runs."""
    c = _zero(3)
    for i in range(n):
        c["L1"] += 1
        if i < m:
            c["L2"] += _size(range(i))
        else:
            c["L3"] += _size(range(i, n))
    return c


def switch_case(n: int, mode: int) -> Counts:
    """A switch over a parameter."""
    c = _zero(4)
    if mode == 0:
        c["L1"] += _size(range(n))
    elif mode == 1:
        for _i in range(n):
            c["L2"] += 1
            c["L3"] += _size(range(n))
    elif mode == 2:
        c["L4"] += _size(range(0, n, 2))
    return c


def continue_loop(n: int, m: int) -> Counts:
    """continue."""
    c = _zero(2)
    for i in range(n):
        c["L1"] += 1
        if i < 3:
            continue
        c["L2"] += _size(range(m))
    return c


def several_sums(n: int, m: int) -> Counts:
    """Bounds that add indices up."""
    c = _zero(5)
    for i in range(n):
        c["L1"] += 1
        c["L2"] += _size(range(i, n + m))
        c["L3"] += _size(range(i, 2 * i + m + 1))
        for j in range(n):
            c["L4"] += 1
            c["L5"] += _size(range(i + j, n))
    return c


def parity(n: int, m: int) -> Counts:
    """Conditions on the remainder."""
    c = _zero(4)
    for i in range(n):
        c["L1"] += 1
        if remainder(i, 2) == 0:
            c["L2"] += _size(range(m))
        if remainder(i, 3) == 1:
            c["L3"] += _size(range(i))
    if remainder(m, 2) == 1:
        c["L4"] += _size(range(n))
    return c


def division(n: int, p: int) -> Counts:
    """Quotients and remainders as bounds."""
    c = _zero(5)
    c["L1"] += _size(range(quotient(n, 3)))
    if p > 0:
        c["L2"] += _size(range(quotient(n + p - 1, p)))
    for i in range(n):
        c["L3"] += 1
        c["L4"] += _size(range(quotient(i, 2)))
    c["L5"] += _size(range(remainder(n, 4)))
    return c


def compressed_rows(n: int) -> Counts:
    """Rows of a sparse matrix."""
    c = _zero(3)
    start = [0]
    for i in range(n):
        c["L1"] += 1
        start.append(start[i] + i % 4)
    for i in range(n):
        c["L2"] += 1
        c["L3"] += _size(range(start[i], start[i + 1]))
    return c


def linked_list(n: int) -> Counts:
    """A list built, walked and freed."""
    c = _zero(3)
    nodes: list[int] = []
    for i in range(n):
        c["L1"] += 1
        nodes.append(i)
    for _node in nodes:
        c["L2"] += 1
    while nodes:
        c["L3"] += 1
        nodes.pop()
    return c


def recursion(n: int) -> Counts:
    """Loops in recursive functions."""
    c = _zero(3)

    def down(k: int) -> None:
        if k < 1:
            return
        c["L1"] += _size(range(k))
        down(k - 1)

    def halves(k: int) -> None:
        if k < 1:
            return
        c["L2"] += _size(range(k))
        halves(quotient(k, 2))
        halves(quotient(k, 2))

    def fibonacci(k: int) -> None:
        c["L3"] += _size(range(1))
        if k >= 2:
            fibonacci(k - 1)
            fibonacci(k - 2)

    down(n)
    halves(n)
    fibonacci(n)
    return c


def data_dependent(n: int) -> Counts:
    """Collatz steps and a pseudo-random end; the seed is a 32-bit unsigned."""
    c = _zero(3)
    seed = 1
    for i in range(1, n + 1):
        c["L1"] += 1
        x = i
        while x != 1:
            c["L2"] += 1
            x = x // 2 if x % 2 == 0 else 3 * x + 1
        for _k in range(50):
            c["L3"] += 1
            seed = (seed * 1103515245 + 12345) % 2**32
            if (seed >> 16) % 10 == 0:
                break
    return c


_BORDERS = (-7, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17)
_ONE: tuple[Vector, ...] = tuple((n,) for n in _BORDERS)
_TWO: tuple[Vector, ...] = (
    (0, 0),
    (1, 1),
    (0, 3),
    (3, 0),
    (1, 4),
    (4, 1),
    (-1, 3),
    (3, -1),
    (-2, -3),
    (-3, -2),
    (3, 3),
    (7, 8),
    (8, 8),
    (8, 7),
    (9, 4),
    (16, 4),
    (17, 4),
    (15, 5),
    (5, 20),
)
_MODES: tuple[Vector, ...] = tuple((n, mode) for n in (-1, 0, 1, 4, 5) for mode in (-1, 0, 1, 2, 3))


def _one(name: str, twin: Callable[..., Counts], *anything: str, top: int = 60) -> Case:
    """A program with the parameter n; `anything` are the markers of kind "any"."""
    return Case(
        PROGRAMS / f"{name}.c",
        ("n",),
        twin,
        _ONE,
        integers((-3, top)),
        dict.fromkeys(anything, "any"),
    )


def _two(
    name: str,
    twin: Callable[..., Counts],
    second: str = "m",
    edges: tuple[Vector, ...] = _TWO,
    anything: tuple[str, ...] = (),
) -> Case:
    """A program with the parameter n and another one."""
    return Case(
        PROGRAMS / f"{name}.c",
        ("n", second),
        twin,
        edges,
        integers((-3, 40), (-3, 40)),
        dict.fromkeys(anything, "any"),
    )


CASES: dict[str, Case] = {
    "constant": _one("constant", constant),
    "triangular": _one("triangular", triangular),
    "strided": _one("strided", strided),
    "geometric": _one("geometric", geometric, top=5000),
    "halving": _one("halving", halving, top=5000),
    "parametric_step": _two("parametric_step", parametric_step),
    "decreasing": _two("decreasing", decreasing),
    "comparisons": _two("comparisons", comparisons),
    "unsigned_index": _one("unsigned_index", unsigned_index),
    "wide_types": _one("wide_types", wide_types, top=300),
    "min_max": _two("min_max", min_max),
    "tiled": _two("tiled", tiled, "t"),
    "nested4": _one("nested4", nested4, top=20),
    "call_in_loop": _one("call_in_loop", call_in_loop),
    "two_call_sites": _two("two_call_sites", two_call_sites),
    "bound_from_function": _one("bound_from_function", bound_from_function),
    "global_bound": _two("global_bound", rectangle),
    "struct_bound": _two("struct_bound", rectangle, anything=("L1", "L2")),
    "two_files": Case(
        PROGRAMS / "two_files_a.c",
        ("n",),
        two_files,
        _ONE,
        integers((-3, 60)),
        others=(PROGRAMS / "two_files_b.c",),
    ),
    "do_while": _one("do_while", do_while, "L2", top=300),
    "while_loop": _one("while_loop", while_loop, "L3", top=300),
    "early_break": _two("early_break", early_break),
    "guarded": _two("guarded", guarded),
    "select_inner": _two("select_inner", select_inner),
    "switch_case": Case(
        PROGRAMS / "switch_case.c", ("n", "mode"), switch_case, _MODES, integers((-3, 40), (-1, 3))
    ),
    "continue_loop": _two("continue_loop", continue_loop),
    "several_sums": _two("several_sums", several_sums),
    "strtol_atol": _two("strtol_atol", rectangle),
    "default_arguments": _two(
        "default_arguments", default_arguments, edges=((), (0,), (1,), (-1,), (5,), *_TWO)
    ),
    "parity": _two("parity", parity),
    "division": _two("division", division, "p"),
    "compressed_rows": _one("compressed_rows", compressed_rows, "L3"),
    "linked_list": _one("linked_list", linked_list, "L2", "L3"),
    "recursion": _one("recursion", recursion, "L1", "L2", "L3", top=15),
    "data_dependent": _one("data_dependent", data_dependent, "L2", "L3"),
}
