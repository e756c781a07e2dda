"""Source with the count of each loop in its margin: what is shown, and how a terminal shows it.

Made from the document of an analysis or a study and the texts of its sources. Counts are shortened
(`display`, guards that are idle left out) unless all is wanted; `listing_html` makes the page.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from ..documents.analysis import AnalysisDocument, DisplayDocument, FunctionDocument, LoopDocument
from ..documents.count import CountDocument
from ..documents.study import StudyDocument, StudyLoop
from .formulas import with_condition, wrap
from .grid import _CONTROL

MARKS = {"exact": "=", "parametric": "~", "bounded": "≤", "unknown": "?"}
LEGEND = {
    "exact": "exact",
    "parametric": "with the symbols named below it",
    "bounded": "only bounds",
    "unknown": "unknown",
}
_STYLES = {"exact": "green", "parametric": "yellow", "bounded": "blue", "unknown": "bold red"}
_UNKNOWN = "unknown"
_NONE = CountDocument("unknown")
Loop = LoopDocument | StudyLoop
_PLACE = re.compile(r"(.+):(\d+):(\d+)")
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
    """A line of a source with what starts on it."""

    number: int
    text: str
    loops: tuple[LoopNote, ...] = ()
    functions: tuple[FunctionNote, ...] = ()


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
    found = []
    for file, text in sources.items():
        loops = [
            (at, loop)
            for loop in data.loops
            if not functions or loop.function in functions
            if (at := _PLACE.fullmatch(loop.at)) and at[1] == file
        ]
        heads = [(f.line, f) for f in data.functions if f.file == file and f.line is not None]
        if loops or (functions and any(f.name in functions for _, f in heads)):
            found.append(
                _listing(
                    file,
                    text.replace("\r\n", "\n").expandtabs(_TAB),
                    loops,
                    heads,
                    functions,
                    context,
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
) -> Listing:
    lines = text.removesuffix("\n").split("\n")
    by_line: dict[int, list[LoopNote]] = {}
    for at, loop in loops:
        by_line.setdefault(int(at[2]), []).append(_loop_note(loop, int(at[3])))
    busy = {loop.function for _, loop in loops}
    by_head: dict[int, list[FunctionNote]] = {}
    for line, head in heads:
        idle = head.name not in busy and _text(head.work) == "0"
        if head.name in functions or not (functions or idle):
            note = _function_note(head)
            if note not in by_head.setdefault(
                line, []
            ):  # instances of a template agree more often than not
                by_head[line].append(note)
    noted = sorted(k for k in {*by_line, *by_head} if 1 <= k <= len(lines))
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
            rows.append(Line(k, text_line, tuple(notes), tuple(by_head.get(k, ()))))
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
    return FunctionNote(
        f.name,
        with_condition(short.work or work),
        work,
        with_condition(short.depth or depth),
        depth,
        short.efficiency or efficiency,
        efficiency,
        tuple(_without_file(s, f.file or "") for s in (*_reasons(f.work), *_symbols(f.work))),
    )


def _text(count: CountDocument) -> str:
    """The formula, or the bounds, or that it is unknown."""
    if count.formula is not None:
        return with_condition(count.formula)
    if count.upper is not None:
        return f"{count.lower} .. {count.upper}"
    return f">= {count.lower}" if count.lower not in (None, "0") else _UNKNOWN


# -- text
def listing_text(
    found: Sequence[Listing],
    *,
    width: int = 80,
    wide: bool = False,
    color: bool = False,
    least: int = 0,
) -> str:
    """The listings for a terminal, margin at the left, and a legend.

    Args:
        width: columns of the terminal.
        wide: formulas as they are, on as many rows as they need, and nothing of a line cut off.
        color: NO_COLOR in the environment always turns it off.
        least: values from which the shortened formulas hold.
    """
    if not found:
        return "No source with loops was found."
    width = max(width, 40)
    out = io.StringIO()
    color = color and not os.environ.get("NO_COLOR")
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    for k, listing in enumerate(found):
        for row in (*([Text()] if k else []), *_Writer(listing, width, wide).rows()):
            row.rstrip()
            console.print(row, soft_wrap=True)
    kinds = {
        note.kind
        for listing in found
        for row in listing.rows
        if isinstance(row, Line)
        for note in row.loops
    }
    legend = "   ".join(f"{mark} {LEGEND[kind]}" for kind, mark in MARKS.items() if kind in kinds)
    if not wide:
        legend += f"\nShortened for values of at least {least}; --wide shows what holds for all."
    console.print(f"\n{legend.strip()}", soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


class _Writer:
    """Lays out one listing: margin, line number, source."""

    def __init__(self, listing: Listing, width: int, wide: bool) -> None:
        self.listing, self.wide = listing, wide
        lines = [row for row in listing.rows if isinstance(row, Line)]
        self.digits = max((len(str(line.number)) for line in lines), default=1)
        longest = max((len(self._run(note)) for line in lines for note in line.loops), default=0)
        self.margin = max(min(longest, width * 3 // 8), len("iterations"))
        self.room = width - self.margin - self.digits - 7

    def _run(self, note: LoopNote) -> str:
        return note.full_run if self.wide else note.run

    def rows(self) -> Iterator[Text]:
        yield Text(_visible(self.listing.file), style="bold")
        head = "iterations in a run"
        head = head if len(head) <= self.margin else "iterations"
        yield Text(f"  {head:<{self.margin}} {'line':>{self.digits + 1}}", style="dim")
        for row in self.listing.rows:
            if isinstance(row, Gap):
                yield Text(f"{'':{self.margin + 2}} {'...':>{self.digits + 1}}", style="dim")
            else:
                yield from self._line(row)
        if self.listing.unplaced:
            yield Text(
                "The file has no lines"
                f" {', '.join(at.split(':')[-2] for at in self.listing.unplaced)}: it is not what"
                " was compiled.",
                style="yellow",
            )

    def _line(self, line: Line) -> Iterator[Text]:
        source = _visible(line.text)
        pieces = _cut(source, self.room, self.wide)
        indent = min(len(source) - len(source.lstrip()), self.room // 2)
        notes = [*line.loops]
        first = self._counts(notes[0]) if notes else [Text(" " * (self.margin + 2))]
        for k in range(max(len(first), len(pieces))):
            margin = first[k] if k < len(first) else Text(" " * (self.margin + 2))
            number = f"{line.number:>{self.digits + 1}}" if k == 0 else " " * (self.digits + 1)
            yield Text.assemble(
                margin, " ", (number, "dim"), "  ", pieces[k] if k < len(pieces) else ""
            )
        for f in line.functions:
            yield from self._notes(indent, [self._work(f, len(line.functions) > 1), *f.symbols])
        for k, note in enumerate(notes):
            if k:
                counts = self._counts(note)
                yield Text.assemble(
                    counts[0],
                    " " * (self.digits + 4 + indent),
                    (f"^ the loop at column {note.column}", "dim"),
                )
                yield from counts[1:]
            call = note.full_call if self.wide else _shortened(note.call, self.room - indent - 12)
            said = [f"per call {call}"] if call else []
            said += note.reasons
            if self.wide and note.assumptions:
                said.append(f"assumes: {'; '.join(note.assumptions)}")
            yield from self._notes(indent, said)

    def _counts(self, note: LoopNote) -> list[Text]:
        """The margin of a loop."""
        parts = (
            wrap(note.full_run, self.margin) if self.wide else [_shortened(note.run, self.margin)]
        )
        style = _STYLES[note.kind]
        return [
            Text.assemble(
                (f"{MARKS[note.kind] if k == 0 else ' '} {_visible(part):<{self.margin}}", style)
            )
            for k, part in enumerate(parts)
        ]

    def _work(self, f: FunctionNote, named: bool) -> str:
        work, depth, efficiency = (
            (f.full_work, f.full_depth, f.full_efficiency)
            if self.wide
            else (f.work, f.depth, f.efficiency)
        )
        same = depth == work and work != _UNKNOWN
        said = f"{f.name}: " * named + (
            f"work = depth = {work}" if same else f"work {work}, depth {depth}"
        )
        return f"{said}, efficiency {efficiency}" if efficiency else said

    def _notes(self, indent: int, said: Sequence[str]) -> Iterator[Text]:
        """Rows below a line, where the source stands; not more than three for a note unless all is
        wanted."""
        room = max(self.room - indent - 2, 12)
        for note in said:
            parts = wrap(_visible(note), room)
            if not self.wide and len(parts) > 3:
                parts = [*parts[:2], _shortened(" ".join(parts[2:]), room)]
            for k, part in enumerate(parts):
                yield Text.assemble(
                    " " * (self.margin + self.digits + 6 + indent),
                    (f"{'^' if k == 0 else ' '} {part}", "cyan"),
                )


def _visible(text: str) -> str:
    """Control characters and direction overrides as escapes."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text).replace("\t", " ")


def _cut(text: str, room: int, wide: bool) -> list[str]:
    """One row that ends with an ellipsis, or all rows."""
    if cell_len(text) <= room:
        return [text]
    if not wide:
        return [set_cell_size(text, room - 1) + "…"]
    rows = []
    while text:
        taken = len(text)
        while cell_len(text[:taken]) > room:
            taken -= 1
        rows.append(text[: max(taken, 1)])
        text = text[max(taken, 1) :]
    return rows


def _shortened(formula: str, room: int) -> str:
    """The formula, or its beginning up to where it may be broken and an ellipsis."""
    if len(formula) <= room:
        return formula
    first = wrap(formula, max(room - 2, 1))[0].rstrip()
    return f"{first} …" if len(first) + 2 <= room else f"{first[: room - 1]}…"


__all__ = [
    "LEGEND",
    "MARKS",
    "FunctionNote",
    "Gap",
    "Line",
    "Listing",
    "LoopNote",
    "listing_text",
    "listings",
]
