"""What changed between the laws of two versions: growth, and what cannot be decided.

Where the code of both versions is known, only functions whose own code changed are analysed, each
by itself, its laws in its own arguments: where such a function does not grow for any arguments, no
caller of it does. A caller that hands it more has changed itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from msgspec.structs import replace as replaced

from .judging import Arguments, Change, Kind, is_equal, judged, shown
from .matching import Matched, match_functions
from .nests import compare_nests
from .program import FunctionLaws, Law, ProgramLaws, total_of

FORMAT = "looplaw-diff/1"
Alone = Callable[[FunctionLaws], FunctionLaws | None]
"""A function by itself, its laws in its own arguments."""
_BY_ITSELF, _BY_POINTER = "calls itself", "through a pointer"
"""Reasons of laws that are not known, where more than the loops is not known."""
_IN_ONE = "a loop in one call of a function that calls itself"
_LONG = 200
"""Characters of two laws of a function that nobody reads; the loop that grew is shown instead."""
_ORDER: tuple[Kind, ...] = ("growth", "undecided", "shrunk", "new", "gone")


def changes(
    before: ProgramLaws,
    after: ProgramLaws,
    *,
    factor: float | None = None,
    alone: tuple[Alone, Alone] | None = None,
) -> tuple[Change, ...]:
    """The findings, the entry's first.

    Args:
        factor: report constant factors above it, too.
        alone: analyses a function of either version by itself; None: the laws are in `before` and
            `after`, and nothing is known of the code.
    """
    matched = match_functions(before.functions, after.functions)
    if alone is None:
        found = [c for old, new in matched.pairs if (c := _compared(old, new, factor)) is not None]
        only = [*(_only(f, "new") for f in matched.new), *(_only(f, "gone") for f in matched.gone)]
        return (*found, *only)
    found = []
    for old, new in _causes(matched):
        change = _by_themselves(old, new, alone, factor)
        if change is not None:
            found.append(change)
    if any(c.kind in ("growth", "undecided") for c in found):
        found += _entry(matched, after.entry, {c.function for c in found}, alone, factor)
    found.sort(key=lambda c: (c.function != after.entry, _ORDER.index(c.kind)))
    return (
        *found,
        *(_only(alone[1](f) or f, "new") for f in matched.new),
        *(_only(alone[0](f) or f, "gone") for f in matched.gone),
    )


def _causes(matched: Matched) -> list[tuple[FunctionLaws, FunctionLaws]]:
    """Functions whose own code changed, or what they call."""
    now = dict.fromkeys((f.symbol for f in matched.gone), "")
    now |= {old.symbol: new.symbol for old, new in matched.pairs}
    differing = [(old, new) for old, new in matched.pairs if old.deep != new.deep]
    causes = [
        (old, new)
        for old, new in differing
        if old.own != new.own or tuple(now.get(c, c) for c in old.callees) != new.callees
    ]
    return causes or differing


def _by_themselves(
    old: FunctionLaws, new: FunctionLaws, alone: tuple[Alone, Alone], factor: float | None
) -> Change | None:
    before, after = alone[0](old), alone[1](new)
    if before is None or after is None:
        why = "the function cannot be analysed by itself"
        return Change("undecided", new.name, new.at, "unknown", "unknown", (), why)
    return _compared(before, after, factor)


def _entry(
    matched: Matched,
    entry: str | None,
    known: set[str],
    alone: tuple[Alone, Alone],
    factor: float | None,
) -> list[Change]:
    """What growth further down means for a whole run."""
    for old, new in matched.pairs:
        if new.name == entry and entry not in known and old.deep != new.deep:
            change = _by_themselves(old, new, alone, factor)
            return [change] if change is not None and change.kind == "growth" else []
    return []


def _only(f: FunctionLaws, kind: Kind) -> Change:
    law = shown(f.work)
    sides = ("", law) if kind == "new" else (law, "")
    return Change(kind, f.name, f.at, *sides, reason=f"the function is {kind}")


def _compared(old: FunctionLaws, new: FunctionLaws, factor: float | None) -> Change | None:
    """A function before and after; None where nothing changed."""
    change = _of_function(old, new, (old.arguments, new.arguments), factor)
    if change is None:
        return None
    return replace(change, function=new.name, at=change.at or new.at)


def _of_function(
    old: FunctionLaws, new: FunctionLaws, arguments: Arguments, factor: float | None
) -> Change | None:
    whole = judged(old.work, new.work, arguments, factor)
    if whole is not None and whole.kind == "growth":
        if len(whole.before) + len(whole.after) > _LONG and whole.faster_in:
            loop = compare_nests(old, new, arguments)
            return loop if loop is not None and loop.kind == "growth" else whole
        return whole
    steps = None
    if old.is_recursive or new.is_recursive:
        steps = judged(_steps(old), _steps(new), arguments, factor)
    library = None
    if old.library is not None and new.library is not None:
        library = judged(old.library, new.library, arguments, factor)
    for change in (steps, library):
        if change is not None and change.kind == "growth":
            remark = "work of library functions" if change is library else change.reason
            return replace(change, reason=remark)
    loops = None
    if old.is_once == new.is_once and not is_equal(old.work, new.work, arguments):
        loops = compare_nests(old, new, arguments)
        if loops is not None and loops.kind == "growth":
            return loops
    activation = _activation(old, new, arguments)
    if activation is not None and activation.kind == "growth":
        return activation
    if whole is not None and whole.kind == "undecided" and _decided_by_loops(old, new, loops):
        whole = steps = None
    undecided = (
        c for c in (whole, steps, library, loops, activation) if c and c.kind == "undecided"
    )
    return next(undecided, whole)


def _activation(old: FunctionLaws, new: FunctionLaws, arguments: Arguments) -> Change | None:
    """The loops of one activation of a function that calls itself, which all of its calls together
    may hide: 8 iterations and n at each of 2**n nodes of a tree sum up alike."""
    both = old.is_recursive and new.is_recursive
    if not both or (old.is_once and new.is_once) or is_equal(old.work, new.work, arguments):
        return None
    found = compare_nests(_one_call(old), _one_call(new), arguments)
    return None if found is None else replace(found, reason=_IN_ONE)


def _one_call(f: FunctionLaws) -> FunctionLaws:
    loops = f.loops if f.is_once else f.activation
    return replaced(f, loops=loops, work=total_of([loop.total for loop in loops]))


def _decided_by_loops(old: FunctionLaws, new: FunctionLaws, loops: Change | None) -> bool:
    """Do the loops, each found again, tell what the law of the whole function does not?"""
    reasons = [f.work.reason or "" for f in (old, new)]
    if any(_BY_POINTER in reason for reason in reasons):
        return False
    if any(_BY_ITSELF in reason for reason in reasons) and (
        old.recursion is None or old.recursion != new.recursion
    ):
        return False
    is_alike = old.is_once == new.is_once  # else the loops were not compared
    return is_alike and loops is None and bool(old.loops) and bool(new.loops)


def _steps(f: FunctionLaws) -> Law:
    """Iterations and calls together: what a recursive function does."""
    return total_of([f.work, f.calls])
