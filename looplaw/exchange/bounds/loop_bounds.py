"""How often each loop of an analysis runs for each entry at least and at most, as numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from looplaw_common.errors import InputError

from ...documents.analysis import AnalysisDocument, LoopDocument
from ...documents.count import CountDocument


@dataclass(frozen=True)
class LoopBound:
    """A loop and how often it runs for each entry. most, total: for an entry and in the run, None
    where that is not known; depth: 1 for a loop with none around it; rests_on: what all this
    assumes, in words."""

    file: str
    line: int
    column: int
    function: str
    depth: int
    least: int
    most: int | None
    total: int | None
    rests_on: tuple[str, ...] = ()


def loop_bounds(
    document: AnalysisDocument, values: Mapping[str, int | Fraction]
) -> tuple[LoopBound, ...]:
    """The bounds of all loops at values of the parameters.

    Raises:
        InputError: a bound needs a parameter without a value, which is named.
    """
    names = {p.name for p in document.parameters}
    return tuple(_bound(loop, values, names) for loop in document.loops)


def _bound(loop: LoopDocument, values: Mapping[str, int | Fraction], names: set[str]) -> LoopBound:
    file, line, column = _place(loop.at)
    total = _evaluated(loop.total, loop.total.upper, values, names)
    most = _evaluated(loop.per_entry, loop.per_entry.upper, values, names)
    used = loop.per_entry
    if most is None:
        most, used = total, loop.total  # one entry has no more than all of them
    least = _evaluated(loop.per_entry, loop.per_entry.lower, values, names) or 0
    return LoopBound(
        file, line, column, loop.function, loop.nesting, least, most, total, _rests_on(used)
    )


def _place(at: str) -> tuple[str, int, int]:
    file, line, column = at.rsplit(":", 2)
    return file, int(line), int(column)


def _rests_on(count: CountDocument) -> tuple[str, ...]:
    return count.assumptions


def _evaluated(
    count: CountDocument, text: str | None, values: Mapping[str, int | Fraction], names: set[str]
) -> int | None:
    """A bound as a number, which holds where what `rests_on` says holds; None where there is none,
    or over values of a run."""
    bound = count.guarded(text)
    if bound is None:
        return None
    missing = sorted(bound.formula.symbols - values.keys())
    if any(name not in names for name in missing):
        return None
    if missing:
        raise InputError(f"--export needs a value for {missing[0]}: add --at {missing[0]}=1000")
    return math.floor(bound.formula.evaluate(values))
