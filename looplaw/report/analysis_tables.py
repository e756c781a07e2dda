"""The tables of an analysis: its loops with formulas; functions with work, depth, operations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from looplaw_common.text import in_one_line

from ..documents.analysis import AnalysisDocument, FunctionDocument, LoopDocument
from ..documents.count import CountDocument, Kind, OpaqueDocument
from .cells import (
    Row,
    assumptions_note,
    counted_noun,
    indented,
    kind_text,
    law_lines,
    legend,
    records_table,
)
from .formulas import wrap
from .grid import Cell, Column, Lines, Table

if TYPE_CHECKING:
    from ..documents.study import StudyDocument


def analysis_table(analysis: AnalysisDocument, *, wide: bool = False) -> Table:
    """Each loop with the formula of its iterations, or the reason that there is none."""
    columns = [
        Column("at", "loop", "path", 16),
        Column("function", "function", "path", 8),
        Column("kind", "kind", "word"),
        Column("total", "iterations in a run", "formula", 16),
    ]
    rows: list[Row] = [
        (
            indented(loop.nesting, loop.at),
            loop.function,
            kind_text(loop.total),
            law_lines(loop.total, wide=wide),
        )
        for loop in analysis.loops
    ]
    signs = legend(row[-1] for row in rows)
    reasons = [_reason(loop.total, wide=wide) for loop in analysis.loops]
    if any(reasons):
        columns.append(Column("reason", "why not exact", "text", 16))
        rows = [(*row, reason) for row, reason in zip(rows, reasons, strict=True)]
    return Table(
        tuple(columns),
        tuple(rows),
        note=(*signs, *_analysis_notes(analysis)),
        records=_analysis_records(analysis.loops),
    )


def _analysis_records(loops: Sequence[LoopDocument]) -> Table:
    rows: list[Row] = [
        (
            loop.at,
            loop.function,
            loop.nesting,
            loop.total.kind,
            loop.total.formula,
            loop.total.lower,
            loop.total.upper,
            loop.total.reason,
            "; ".join(loop.total.assumptions),
        )
        for loop in loops
    ]
    return records_table(
        ("at", "function", "nesting", "kind", "total", "lower", "upper", "reason", "assumptions"),
        rows,
    )


def kinds_of(loops: Sequence[LoopDocument]) -> str:
    """2 loops: 1 exact, 1 parametric."""
    number = Counter(loop.total.kind for loop in loops)
    kinds: tuple[Kind, ...] = ("exact", "parametric", "bounded", "unknown")
    found = ", ".join(f"{number[kind]} {kind}" for kind in kinds if number[kind])
    return f"{counted_noun(len(loops), 'loop')}: {found or 'none'}"


def _analysis_notes(analysis: AnalysisDocument) -> list[str]:
    library = len(analysis.library)
    more = f"; {counted_noun(library, 'loop')} in library headers not shown" if library else ""
    parameters = ", ".join(f"{p.name} = {p.origin}" for p in analysis.parameters)
    return [
        *assumptions_note(loop.total for loop in analysis.loops),
        *analysis.notes,
        f"{kinds_of(analysis.loops)}{more}.",
        f"Parameters: {parameters or 'none'}.",
    ]


def _reason(total: CountDocument, *, wide: bool = False) -> str:
    """What the formula rests on; files without their folders, as in the column of loops."""
    if total.kind == "exact":
        return ""
    symbols = [f"{o.symbol}: {_meaning(o)}" for o in total.opaque]
    reason = total.reason or ""
    if symbols and (not reason or reason.startswith("it contains ")):
        more = len(symbols) - _MOST_SYMBOLS
        told = symbols if wide or more <= 0 else [*symbols[:_MOST_SYMBOLS], f"{more} more"]
        reason = "; ".join(told)
    return reason if wide else _FOLDERS.sub("", reason)


def _meaning(symbol: OpaqueDocument) -> str:
    """What a symbol stands for; of a variable, where it is."""
    variable = symbol.meaning.removeprefix("value of ")
    where = symbol.at or ""
    if variable.isidentifier() and variable != symbol.meaning and where:
        return f"variable {variable} {'at' if ':' in where else 'in'} {where}"
    return symbol.meaning.removeprefix("value ")


_MOST_SYMBOLS = 3
"""Explained in a row of the table; --wide explains all."""
_FOLDERS = re.compile(r"(?<![^\s(`])(?:[^\s/`(]*/)+(?=[^\s/]+:\d+:\d+)")


def functions_table(source: AnalysisDocument | StudyDocument) -> Table:
    """Work, depth, efficiency and operations per call of each function."""
    found = source.functions
    kinds = tuple(dict.fromkeys(kind for f in found for kind in f.operations))
    columns = (
        Column("name", "function", "path", 12),
        Column("work", "work", "formula", 8),
        Column("depth", "depth", "formula", 8),
        Column("efficiency", "eff.", "formula", 6),
        Column("operations", "operations", "formula", 14),
    )
    rows: list[Row] = []
    records: list[Row] = []
    for f in found:
        work, depth = law_lines(f.work, wide=True), law_lines(f.depth, wide=True)
        operations = tuple(
            f"{kind}: {line}" if not k else line
            for kind in kinds
            if kind in f.operations and f.operations[kind].formula != "0"
            for k, line in enumerate(law_lines(f.operations[kind], wide=True))
        )
        rows.append((named_function(f), work, depth, f.efficiency or "", operations))
        counts = (law_lines(f.operations.get(kind), wide=True) for kind in kinds)
        records.append((f.name, f.file, f.line, work, depth, f.efficiency, *counts))
    keys = ("name", "file", "line", "work", "depth", "efficiency", *kinds)
    return Table(columns, tuple(rows), records=records_table(keys, records))


def functions_text(
    source: AnalysisDocument | StudyDocument, *, width: int = 80, wide: bool = False
) -> str:
    """Work, depth, efficiency and operations per call as a list: for each function a line with its
    name and place, and below it a line for each count that is not 0."""
    lines: list[str] = []
    formulas: list[Cell] = []
    for f in source.functions:
        counts = [("work", law_lines(f.work, wide=wide)), ("depth", law_lines(f.depth, wide=wide))]
        if counts[0][1] == counts[1][1]:
            counts = [("work = depth", counts[0][1])]
        counts += [("efficiency", (f.efficiency,))] if f.efficiency else []
        counts += [
            (kind.replace("_", " "), law_lines(count, wide=wide))
            for kind, count in f.operations.items()
            if count.formula != "0"
        ]
        lines += ["", in_one_line("  ".join(named_function(f)))]
        for title, texts in counts:
            formulas.append(texts)
            rows = [
                row for text in texts for row in wrap(in_one_line(text), max(width - _LIST, 20))
            ]
            lines += [f"  {title if not k else '':<{_LIST - 2}}{row}" for k, row in enumerate(rows)]
    notes = legend(formulas)
    return "\n".join([*lines[1:], *([""] if notes else []), *notes])


_LIST = 18
"""Columns of the names of counts in a list of functions."""


def named_function(f: FunctionDocument) -> Lines:
    """The name of a function and, on the next line, file:line of its definition."""
    return (f.name, *((f"{f.file}:{'' if f.line is None else f.line}",) if f.file else ()))
