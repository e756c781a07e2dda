"""The table of a library: the loops that calls of its exported functions run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import parse_formula
from looplaw_common.formula.growth import ONE, Growth, Order, growth, value_of
from staticana.ir.demangling import demangled

from ..documents.analysis import AnalysisDocument, LoopDocument
from .analysis_tables import kinds_of
from .cells import Row, counted_noun, kind_text, law_lines, legend, records_table
from .grid import Column, Table

_MOST = 20
"""Loops that the table shows."""
_PARTS = ("whether ", "fraction ")
"""How the meanings of named values begin that are at most 1."""
_LONGEST = 4000
"""Characters of a formula whose growth is asked for: of longer ones that takes seconds."""


@dataclass(frozen=True)
class _Loop:
    """A loop, as the call runs it whose law is the shortest. callers: the exported functions that
    run it; order: how its law grows with all that it names."""

    entry: str
    loop: LoopDocument
    callers: int
    order: Order


def exports_table(analyses: Sequence[AnalysisDocument], *, wide: bool = False) -> Table:
    """The loops of a library whose laws grow fastest, each once, as the exported function runs it
    that it stands in, or else has the shortest law; `wide`: all of them."""
    found = _loops(analyses)
    shown = [x for x in found if wide or x.loop.total.kind != "unknown"][: None if wide else _MOST]
    called = _source_names([a.entry for a in analyses])
    rows: list[Row] = [
        (
            x.loop.at,
            (called[x.entry], *([f"and {x.callers - 1} more"] if x.callers > 1 else [])),
            kind_text(x.loop.total),
            law_lines(x.loop.total, wide=wide),
        )
        for x in shown
    ]
    return Table(
        (
            Column("at", "loop", "path", 16),
            Column("call", "in one call of", "path", 8),
            Column("kind", "kind", "word"),
            Column("total", "iterations", "formula", 16),
        ),
        tuple(rows),
        note=(
            *legend(row[-1] for row in rows),
            *_left_out(len(shown), len(found)),
            *_exports_note(analyses),
        ),
        records=records_table(
            ("call", "at", "function", "nesting", "kind", "total", "reason"),
            [
                (
                    a.entry,
                    loop.at,
                    loop.function,
                    loop.nesting,
                    loop.total.kind,
                    loop.total.formula,
                    loop.total.reason,
                )
                for a in analyses
                for loop in a.loops
            ],
        ),
    )


def _source_names(entries: Sequence[str]) -> dict[str, str]:
    """What the source calls functions; overloads keep the names that tell them apart."""
    found = {e: demangled(e) for e in entries}
    number = Counter(found.values())
    return {e: name if number[name] == 1 else e for e, name in found.items()}


def _loops(analyses: Sequence[AnalysisDocument]) -> list[_Loop]:
    """Each loop once, those that grow fastest first."""
    runs: dict[str, list[tuple[str, LoopDocument]]] = {}
    for a in analyses:
        for loop in a.loops:
            runs.setdefault(loop.at, []).append((a.entry, loop))
    found = []
    for each in runs.values():
        entry, loop = min(each, key=_length)
        found.append(_Loop(entry, loop, len(each), _order(loop)))
    return sorted(found, key=_FASTEST_FIRST)


def _length(run: tuple[str, LoopDocument]) -> tuple[bool, bool, int, str]:
    """Laws before none, then the function that the loop stands in, then short laws first."""
    entry, loop = run
    text = loop.total.formula or loop.total.upper or ""
    return loop.total.formula is None, entry != loop.function, len(text), entry


def _order(loop: LoopDocument) -> Order:
    """How a law grows where all that it names grows alike; as a constant where it has none."""
    text = loop.total.formula or loop.total.upper or ""
    try:
        if not text or len(text) > _LONGEST:
            return ONE
        formula = parse_formula(text)
        held = {o.symbol for o in loop.total.opaque if o.meaning.startswith(_PARTS)}
        at = {name: 1 if name in held else Growth.parameter() for name in formula.symbols}
        return growth(value_of(formula, at)).lead.order
    except (InputError, ArithmeticError, IndexError):
        return ONE


def _compared(a: _Loop, b: _Loop) -> int:
    faster = b.order.over(a.order).sign
    if faster:
        return faster
    mine, other = ((-x.loop.nesting, -x.callers, x.loop.at) for x in (a, b))
    return (mine > other) - (mine < other)


_FASTEST_FIRST = cmp_to_key(_compared)


def _left_out(shown: int, found: int) -> list[str]:
    if shown == found:
        return []
    return [
        f"the {shown} of {counted_noun(found, 'loop')} that grow fastest; --wide shows every loop,"
        " --json every call of each"
    ]


def _exports_note(analyses: Sequence[AnalysisDocument]) -> list[str]:
    """How many functions and loops there are, and why loops have no law."""
    loops = [loop for a in analyses for loop in a.loops]
    idle = sum(not a.loops for a in analyses)
    unknown = [loop for loop in loops if loop.total.kind == "unknown"]
    late = sum(loop.total.is_cut_short for loop in unknown)
    lines = [
        counted_noun(len(analyses), "exported function")
        + (f", {idle} of them without a loop" if idle else ""),
        f"{kinds_of(loops)}; a loop counts once for each function that runs it",
    ]
    if late:
        lines.append(
            f"{late} unknown for lack of time or memory: raise --budget, --budget-total,"
            " --budget-memory"
        )
    return lines
