"""Work, depth and efficiency of explicitly parallel programs.

W = N for p = 1, D = N for p -> infinity, E = W / (p N), where N counts the iterations of the
innermost loops on one of p processes (Hoefler and Kwasniewski, SPAA 2014; slides 004, "Program
analysis").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .count import Count
from .expr import (
    ONE,
    ZERO,
    Atom,
    Expr,
    Extremum,
    Floor,
    Sym,
    TooComplex,
    Trunc,
    floor_div,
    from_atom,
    maximum,
    minimum,
    step,
    sym,
    symbols,
)
from .interprocedural.program import Program
from .naming import Naming
from .scev.bounded_count import BoundedCount, exactly, unknown

_PROCESSES = ("mpi:size", "omp:threads")
_NAMES = ("p", "nprocs", "np", "nranks", "num_procs", "processes", "nthreads", "num_threads")


_SIDE_BY_SIDE = "threads run side by side: which of them is the longest is not known"


def process_parameter(parameters: Mapping[str, str]) -> str | None:
    """The parameter (origin -> name) that counts processes: MPI_Comm_size, else one named p,
    nprocs, ..."""
    for origin, name in parameters.items():
        if origin in _PROCESSES:
            return name
    names = set(parameters.values())
    return next((n for n in _NAMES if n in names), None)


def depth_and_efficiency(
    program: Program,
    naming: Naming,
    work: BoundedCount,
    thread: BoundedCount | None = None,
    *,
    starts: bool = False,
) -> tuple[Count, str | None]:
    """D as a count, and E as a formula (None for a program without processes, whose depth is its
    work).

    `thread` is the work of one thread where `work` is that of the whole team; `starts`: threads are
    started on the way, each of which does a part of the work.
    """
    p = process_parameter(program.parameters)
    if (
        thread is not None
        and p is not None
        and p == program.parameters.get("omp:threads")
        and (work.formula is None or thread.formula != work.formula or p in work.formula.symbols)
    ):
        return _of_team(program, naming, work, thread, p)
    if starts:
        at_most = replace(work, formula=None, lower=ZERO, reason=_SIDE_BY_SIDE)
        return naming.count(at_most), None
    if p is None or work.formula is None or p not in work.formula.symbols:
        return (
            naming.count(work, frozenset(() if p else ("the program is serial: depth is work",))),
            None,
        )
    limit = at_infinity(work.formula, p)
    depth = naming.count(
        unknown(f"no limit for {p} -> infinity was found")
        if limit is None
        else BoundedCount(
            limit,
            limit if work.reason is None else ZERO,
            limit if work.reason is None else None,
            work.preconditions,
            work.notes,
            work.reason,
        )
    )
    try:
        # the only process of a run has the number 0
        rank = program.parameters.get("mpi:rank")
        serial = work.formula.substitute({p: ONE} | ({rank: ZERO} if rank else {}))
    except TooComplex:
        return depth, None
    return depth, f"({naming.expr(serial)})/({p}*({naming.expr(work.formula)}))"


def _of_team(
    program: Program, naming: Naming, work: BoundedCount, thread: BoundedCount, p: str
) -> tuple[Count, str | None]:
    """The longest share for p -> infinity, and W(1) / (p W_thread(p))."""
    if (
        work.formula is None
        or thread.formula is None
        or thread.reason is not None
        or not thread.formula.symbols <= work.formula.symbols | {p}
        or _has_foreign(program, thread.formula)
    ):
        why = "the iterations that the threads share are not all of one length"
        return (
            naming.count(unknown(why if thread.formula is not None else thread.reason or why)),
            None,
        )
    limit = at_infinity(thread.formula, p)
    depth = naming.count(
        unknown(f"no limit for {p} -> infinity was found")
        if limit is None
        else exactly(limit, thread.preconditions, thread.notes)
    )
    try:
        serial = work.formula.substitute({p: ONE})
    except TooComplex:
        return depth, None
    return depth, f"({naming.expr(serial)})/({p}*({naming.expr(thread.formula)}))"


def _has_foreign(program: Program, e: Expr) -> bool:
    """Does it contain a symbol that is neither a parameter nor a function's argument?"""
    return any(
        program.unknowns.get(s) is None
        and symbols.is_internal(s)
        and symbols.as_argument(s) is None
        for s in e.symbols
    )


def at_infinity(e: Expr, name: str) -> Expr | None:
    """The limit of a formula for a symbol that grows without bound; None where it has none or it is
    not found."""
    if name not in e.symbols:
        return e
    try:
        result = e.map_atoms(lambda a: _atom_limit(a, name))
    except (_NoLimit, TooComplex):
        return None
    return result


class _NoLimit(Exception):
    """The formula grows, or its limit is not known."""


def _atom_limit(a: Atom, name: str) -> Expr:
    if name not in a.symbols:
        return from_atom(a)
    if isinstance(a, (Floor, Trunc)):
        return _quotient_limit(a, name)
    if isinstance(a, Sym):
        raise _NoLimit
    if isinstance(a, Extremum):
        return _extremum_limit(a, name)
    parts = tuple(at_infinity(part, name) for part in a.parts)
    if any(part is None for part in parts):
        raise _NoLimit
    return a.rebuild(tuple(part for part in parts if part is not None))


def _quotient_limit(a: Floor | Trunc, name: str) -> Expr:
    """x / p tends to 0 from the side of x: its floor is 0 or -1."""
    if a.den != sym(name) or name in a.num.symbols:
        num, den = at_infinity(a.num, name), at_infinity(a.den, name)
        if num is None or den is None:
            raise _NoLimit
        return floor_div(num, den) if isinstance(a, Floor) else a.rebuild((num, den))
    return step(a.num) - 1 if isinstance(a, Floor) else ZERO


def _extremum_limit(a: Extremum, name: str) -> Expr:
    """Arguments that grow without bound drop out of a minimum, those that fall out of a maximum."""
    kept = []
    for part in a.args:
        limit = at_infinity(part, name)
        if limit is not None:
            kept.append(limit)
            continue
        line = part.affine_in(name)
        if line is None or not (slope := line[0].constant):
            raise _NoLimit
        grows = slope > 0
        if grows != (a.kind == "Min"):
            raise _NoLimit
    if not kept:
        raise _NoLimit
    return maximum(*kept) if a.kind == "Max" else minimum(*kept)
