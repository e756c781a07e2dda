"""Annotated source: every line with the counts of the loops and functions that start on it.

Built from an analysis or a study and the texts of its sources. Counts are in two lengths: shortened
(`display`, without the guards that matter for small values only) and in full. `listing_text` shows
a listing in a terminal, `listing_html` in the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...documents.analysis import (
    AnalysisDocument,
    DisplayDocument,
    FunctionDocument,
    KernelDocument,
    LoopDocument,
)
from ...documents.count import CountDocument
from ...documents.launches import access_text, accesses_in, of_launches
from ...documents.study import StudyDocument, StudyLoop
from ..formulas import with_condition

MARKS = {"exact": "=", "parametric": "~", "bounded": "≤", "unknown": "?"}
LEGEND = {
    "exact": "exact",
    "parametric": "with the symbols named below it",
    "bounded": "only bounds",
    "unknown": "unknown",
}
UNKNOWN = "unknown"
_NONE = CountDocument("unknown")
Loop = LoopDocument | StudyLoop
_PLACE = re.compile(r"(.+):(\d+):(\d+)", re.DOTALL)
_TAB = 8
_LEAST_GAP = 3
"""Fewer lines than this are shown rather than left out."""


@dataclass(frozen=True)
class LoopNote:
    """A loop that starts on a line. `run` and `call`: iterations in a run and per call, shortened;
    `full_*`: as they are; `reasons`: why it is not exact and what its symbols mean; `call` is ""
    where it is the same."""

    at: str
    column: int
    kind: str
    run: str
    full_run: str
    call: str
    full_call: str
    reasons: tuple[str, ...]
    assumptions: tuple[str, ...]
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class FunctionNote:
    """A function whose header is on a line; texts as in `LoopNote`, `efficiency` "" for serial
    programs, `symbols` what the symbols in its work mean, or why it is unknown."""

    name: str
    work: str
    full_work: str
    depth: str
    full_depth: str
    efficiency: str
    full_efficiency: str
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """A line of a source with what starts on it; accesses: what warps of kernels touch there."""

    number: int
    text: str
    loops: tuple[LoopNote, ...] = ()
    functions: tuple[FunctionNote, ...] = ()
    accesses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gap:
    """Lines left out, in which nothing that is asked for starts."""

    first: int
    last: int


@dataclass(frozen=True)
class Listing:
    """One file. `unplaced` are loops on lines that the file does not have: it is not what was
    compiled."""

    file: str
    rows: tuple[Line | Gap, ...]
    unplaced: tuple[str, ...] = ()


def listings(
    data: AnalysisDocument | StudyDocument,
    sources: Mapping[str, str],
    *,
    functions: Sequence[str] = (),
    context: int = 4,
) -> tuple[Listing, ...]:
    """The sources with loops, annotated.

    Args:
        data: an analysis or a study.
        sources: file -> text.
        functions: only these; all when empty.
        context: lines shown around a line with a note; longer stretches without notes are left out.
    """
    touched: dict[str, dict[int, list[str]]] = {}
    if isinstance(data, AnalysisDocument):
        data = of_launches(data)
    for kernel, access in accesses_in(data.functions):
        place = _PLACE.fullmatch(access.at)
        if place and (not functions or kernel in functions):
            texts = touched.setdefault(place[1], {}).setdefault(int(place[2]), [])
            texts += [t for t in (access_text(access),) if t not in texts]
    found = []
    for file, text in sources.items():
        loops = [
            (at, loop)
            for loop in data.loops
            if not functions or loop.function in functions
            if (at := _PLACE.fullmatch(loop.at)) and at[1] == file
        ]
        heads = [(f.line, f) for f in data.functions if f.file == file and f.line is not None]
        if loops or file in touched or (functions and any(f.name in functions for _, f in heads)):
            found.append(
                _listing(
                    file,
                    text.replace("\r\n", "\n").expandtabs(_TAB),
                    loops,
                    heads,
                    functions,
                    context,
                    touched.get(file, {}),
                )
            )
    return tuple(found)


def _listing(
    file: str,
    text: str,
    loops: Sequence[tuple[re.Match[str], Loop]],
    heads: Sequence[tuple[int, FunctionDocument]],
    functions: Sequence[str],
    context: int,
    touched: Mapping[int, Sequence[str]],
) -> Listing:
    lines = text.removesuffix("\n").split("\n")
    by_line: dict[int, list[LoopNote]] = {}
    for at, loop in loops:
        by_line.setdefault(int(at[2]), []).append(_loop_note(loop, int(at[3])))
    in_kernels = {head.name for _, head in heads if isinstance(head.kernel, KernelDocument)}
    busy = in_kernels | {loop.function for _, loop in loops}
    by_head: dict[int, list[FunctionNote]] = {}
    for line, head in heads:
        idle = head.name not in busy and _text(head.work) == "0"
        if head.name in functions or not (functions or idle):
            note = _function_note(head)
            if note not in by_head.setdefault(
                line, []
            ):  # instances of a template agree more often than not
                by_head[line].append(note)
    noted = sorted(k for k in {*by_line, *by_head, *touched} if 1 <= k <= len(lines))
    starts = sorted(line for line, _ in heads)
    shown: set[int] = set()
    for k in noted:
        first, last = max(1, k - context), min(len(lines), k + context)
        if functions:  # nothing of the functions before and behind
            first = max(first, max((s for s in starts if s <= k), default=1))
            last = min(last, min((s - 1 for s in starts if s > k), default=last))
        shown.update(range(first, last + 1))
    rows: list[Line | Gap] = []
    for k, text_line in enumerate(lines, 1):
        if k in shown or (not functions and _is_short(k, shown, len(lines))):
            notes = sorted(by_line.get(k, ()), key=lambda n: n.column)
            accesses = tuple(touched.get(k, ()))
            rows.append(Line(k, text_line, tuple(notes), tuple(by_head.get(k, ())), accesses))
        elif rows and isinstance(rows[-1], Gap):
            rows[-1] = Gap(rows[-1].first, k)
        else:
            rows.append(Gap(k, k))
    unplaced = tuple(
        note.at
        for k, notes in sorted(by_line.items())
        for note in notes
        if not 1 <= k <= len(lines)
    )
    return Listing(file, tuple(rows), unplaced)


def _is_short(k: int, shown: set[int], end: int) -> bool:
    """Is the stretch of lines around k that are not shown too short to be worth leaving out?"""
    first = last = k
    while first > 1 and first - 1 not in shown and k - first < _LEAST_GAP:
        first -= 1
    while last < end and last + 1 not in shown and last - first < _LEAST_GAP:
        last += 1
    return last - first + 1 < _LEAST_GAP


def _loop_note(loop: Loop, column: int) -> LoopNote:
    total, call = loop.total or _NONE, loop.per_call or _NONE
    full_run, full_call = _text(total), _text(call)
    run = with_condition(loop.display or full_run)
    per_call = with_condition(loop.display_per_call or full_call)
    same = full_call == full_run or per_call == run
    symbols = list(dict.fromkeys((*_symbols(total), *(() if same else _symbols(call)))))
    why = total.reason or "no formula was found"
    told = total.kind == "exact" or (symbols and why.startswith("it contains "))  # symbols say it
    reasons = [*(() if told else (f"{total.kind}: {why}",)), *symbols]
    at = _PLACE.fullmatch(loop.at)
    if at:
        reasons = [_without_file(r, at[1]) for r in reasons]
    return LoopNote(
        loop.at,
        column,
        total.kind,
        run,
        full_run,
        "" if same else per_call,
        "" if same else full_call,
        tuple(reasons),
        total.assumptions,
        loop.parameters,
    )


def _symbols(count: CountDocument) -> list[str]:
    """What the symbols of a count mean, and where."""
    return [
        f"{o.symbol}: {o.meaning}" + (f" ({o.at})" if o.at and o.at not in o.meaning else "")
        for o in count.opaque
    ]


def _reasons(count: CountDocument) -> list[str]:
    """Why there is no formula."""
    return [f"unknown: {count.reason}"] if count.formula is None and count.reason else []


def _without_file(text: str, file: str) -> str:
    """Places in the file that is shown as "line 12"."""
    return re.sub(rf"(?<![\w/.]){re.escape(file)}:(\d+):\d+", r"line \1", text)


def _function_note(f: FunctionDocument) -> FunctionNote:
    short = f.display or DisplayDocument()
    work, depth, efficiency = _text(f.work), _text(f.depth), f.efficiency or ""
    symbols = [_without_file(s, f.file or "") for s in (*_reasons(f.work), *_symbols(f.work))]
    if isinstance(f.kernel, KernelDocument):
        symbols.append(f"warps {_text(f.kernel.warps.of_whole_warps)}, of whole warps a block")
    return FunctionNote(
        f.name,
        with_condition(short.work or work),
        work,
        with_condition(short.depth or depth),
        depth,
        short.efficiency or efficiency,
        efficiency,
        tuple(symbols),
    )


def _text(count: CountDocument) -> str:
    """The formula, or the bounds, or that it is unknown."""
    if count.formula is not None:
        return with_condition(count.formula)
    if count.upper is not None:
        return f"{count.lower} .. {count.upper}"
    return f">= {count.lower}" if count.lower not in (None, "0") else UNKNOWN
