"""The table of `looplaw verify`: every loop with the entries at which its formula was checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..documents.count import CountDocument
from ..documents.study import CountedDocument
from ..documents.verification import CounterexampleDocument, VerificationDocument, VerifiedLoop
from .cells import Row, counted_noun, indented, law_lines, records_table, values_text
from .grid import Column, Table

_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBERED = re.compile(r"_\d+$")


def verification_table(found: VerificationDocument) -> Table:
    """Each loop with the entries at which its formula was checked; below, counterexamples and a
    summary."""
    columns = (
        Column("at", "loop", "path", 18),
        Column("per_entry", "iterations per entry", "formula", 12),
        Column("entries", "entries", "number"),
        Column("agree", "agree", "number"),
        Column("total", "total", "word"),
        Column("verdict", "verdict", "text", 14),
    )
    known = frozenset(name for run in found.runs for name in run.params)
    rows = tuple(
        (
            indented(loop.nesting, loop.at),
            law_lines(loop.per_entry, _plainly_named(loop.per_entry, known)),
            loop.entries,
            loop.agree if loop.checked_by != "nothing" else None,
            loop.total_obeys.replace("unchecked", "-"),
            _checked(loop),
        )
        for loop in found.loops
    )
    remarks = [
        f"{loop.at}: {_counterexample(loop.counterexample)}"
        for loop in found.loops
        if loop.counterexample is not None
    ]
    remarks += [
        f"{loop.at}: counted {n.iterations} in the run, predicted"
        f" {n.predicted if n.predicted is not None else _between(n)} at {values_text(n.params)}"
        for loop in found.loops
        if loop.total_obeys == "no"
        for n in loop.total_counted
        if not n.equal
    ][:20]
    s = found.summary
    remarks.append(
        f"{counted_noun(s.runs, 'run')}, {s.failed or 'none'} failed; "
        f"{counted_noun(s.entries_checked, 'entry', 'entries')} checked."
    )
    remarks.append(
        f"{counted_noun(s.wrong_at_entry, 'loop')} wrong at an entry,"
        f" {counted_noun(s.wrong_totals, 'loop')} miscounted in total."
    )
    return Table(columns, rows, note=tuple(remarks), records=_verification_records(found.loops))


def _plainly_named(count: CountDocument, known: Collection[str]) -> str | None:
    """The formula without the numbers that tell a symbol from those of other loops: `nx_2` is `nx`
    where nothing else in the formula, and no parameter of the runs, is called so."""
    if count.formula is None:
        return None
    words = {*_WORD.findall(count.formula), *known}
    names: dict[str, str] = {}
    for o in count.opaque:
        base = _NUMBERED.sub("", o.symbol)
        is_called_so = re.search(rf"\b{re.escape(base)}( of \S+)?$", o.meaning) is not None
        if is_called_so and base not in words and base not in names.values():
            names[o.symbol] = base
    return _WORD.sub(lambda m: names.get(m[0], m[0]), count.formula)


def _verification_records(loops: Sequence[VerifiedLoop]) -> Table:
    words = (
        "at",
        "function",
        "nesting",
        "checked_by",
        "entries",
        "checked",
        "agree",
        "outside_assumptions",
        "undetermined",
        "not_recorded",
        "not_left",
        "reason",
        "total_obeys",
    )
    rows: list[Row] = [
        (
            *(getattr(loop, word) for word in words),
            None if loop.counterexample is None else _counterexample(loop.counterexample),
        )
        for loop in loops
    ]
    return records_table((*words, "counterexample"), rows)


def _checked(loop: VerifiedLoop) -> str:
    """The outcome at the entries, and how many were not judged and why."""
    if loop.counterexample is not None:
        return "wrong"
    if not loop.entries:
        return "not entered"
    if loop.checked_by == "nothing" or not loop.checked:
        what = f"not checkable at entry: {loop.reason or 'assumptions violated'}"
    else:
        what = "agrees" if loop.checked_by == "formula" else f"within bounds; {loop.reason or ''}"
    left_out = (
        (loop.outside_assumptions, "not judged, assumptions violated"),
        (loop.undetermined, "undetermined"),
        (loop.not_recorded, "not recorded"),
        (loop.not_left, "not left"),
    )
    more = [f"{count} {text}" for count, text in left_out if count]
    return "; ".join([what, *(more if loop.checked_by != "nothing" else ())])


def _counterexample(found: CounterexampleDocument) -> str:
    values = values_text(found.values)
    return (
        f"{found.iterations} iterations in an entry, {found.formula} says {found.expected}"
        + (f" at {values}" if values else "")
        + (f"; {found.note}" if found.note else "")
    )


def _between(counted: CountedDocument) -> str:
    return f"{counted.lower} to {counted.upper}"
